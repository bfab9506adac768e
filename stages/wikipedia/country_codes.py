"""English names of countries by the three letters under which templates show them (ISO 3166, and sport's own codes)."""

from __future__ import annotations

_NAMES = """
AFG Afghanistan|AGO ANG Angola|ALB Albania|ALG DZA Algeria|AND Andorra|ARE UAE United Arab Emirates|ARG Argentina
ARM Armenia|ARU ABW Aruba|ASA ASM American Samoa|ATG ANT Antigua and Barbuda|AUS Australia|AUT Austria|AZE Azerbaijan
BAH BHS The Bahamas|BAN BGD Bangladesh|BAR BRB Barbados|BDI Burundi|BEL Belgium|BEN Benin|BER BMU Bermuda|BHU BTN Bhutan
BIH Bosnia and Herzegovina|BIZ BLZ Belize|BLR Belarus|BOL Bolivia|BOT BWA Botswana|BRA Brazil|BRN BHR Bahrain
BRU Brunei|BUL BGR Bulgaria|BUR BFA Burkina Faso|CAF CTA Central African Republic|CAM KHM Cambodia|CAN Canada
CAY CYM Cayman Islands|CGO COG Republic of the Congo|CHA TCD Chad|CHE SUI Switzerland|CHI CHL Chile|CHN China
CIV Ivory Coast|CMR Cameroon|COD Democratic Republic of the Congo|COK Cook Islands|COL Colombia|COM Comoros
CPV Cape Verde|CRC CRI Costa Rica|CRO HRV Croatia|CUB Cuba|CUW Curaçao|CYP Cyprus|CZE Czech Republic|DEN DNK Denmark
DEU GER Germany|DJI Djibouti|DMA Dominica|DOM Dominican Republic|ECU Ecuador|EGY Egypt|ENG England|ERI Eritrea
ESA SLV El Salvador|ESP Spain|EST Estonia|ETH Ethiopia|FIJ FJI Fiji|FIN Finland|FRA France|FRO FAR Faroe Islands
FSM Federated States of Micronesia|GAB Gabon|GAM GMB The Gambia|GBR United Kingdom|GBS GNB Guinea-Bissau|GEO Georgia
GEQ GNQ Equatorial Guinea|GHA Ghana|GIB Gibraltar|GRE GRC Greece|GRL Greenland|GRN GRD Grenada|GUA GTM Guatemala
GUI GIN Guinea|GUM Guam|GUY Guyana|HAI HTI Haiti|HKG Hong Kong|HON HND Honduras|HUN Hungary|IDN INA Indonesia|IND India
IRL Ireland|IRN IRI Iran|IRQ Iraq|ISL Iceland|ISR Israel|ISV VIR United States Virgin Islands|ITA Italy
IVB VGB British Virgin Islands|JAM Jamaica|JOR Jordan|JPN Japan|KAZ Kazakhstan|KEN Kenya|KGZ Kyrgyzstan|KIR Kiribati
KOR South Korea|KOS Kosovo|KSA SAU Saudi Arabia|KUW KWT Kuwait|LAO Laos|LAT LVA Latvia|LBA LBY Libya|LBN LIB Lebanon
LBR Liberia|LCA Saint Lucia|LES LSO Lesotho|LIE Liechtenstein|LTU Lithuania|LUX Luxembourg|MAC Macau|MAD MDG Madagascar
MAR Morocco|MAS MYS Malaysia|MAW MWI Malawi|MCO MON Monaco|MDA Moldova|MDV Maldives|MEX Mexico|MGL MNG Mongolia
MHL Marshall Islands|MKD North Macedonia|MLI Mali|MLT Malta|MNE Montenegro|MOZ Mozambique|MRI MUS Mauritius
MTN MRT Mauritania|MYA MMR Myanmar|NAM Namibia|NCA NIC Nicaragua|NCL New Caledonia|NED NLD Netherlands|NEP NPL Nepal
NGR NGA Nigeria|NIG NER Niger|NIR Northern Ireland|NOR Norway|NRU Nauru|NZL New Zealand|OMA OMN Oman|PAK Pakistan
PAN Panama|PAR PRY Paraguay|PER Peru|PHI PHL Philippines|PLE PSE Palestine|PLW Palau|PNG Papua New Guinea|POL Poland
POR PRT Portugal|PRK North Korea|PUR PRI Puerto Rico|QAT Qatar|ROU ROM Romania|RSA ZAF South Africa|RUS Russia
RWA Rwanda|SAM WSM Samoa|SCO Scotland|SEN Senegal|SEY SYC Seychelles|SGP SIN Singapore|SKN KNA Saint Kitts and Nevis
SLE Sierra Leone|SLO SVN Slovenia|SMR San Marino|SOL SLB Solomon Islands|SOM Somalia|SRB Serbia|SRI LKA Sri Lanka
SSD South Sudan|STP São Tomé and Príncipe|SUD SDN Sudan|SUR Suriname|SVK Slovakia|SWE Sweden|SWZ Eswatini|SYR Syria
TAH PYF Tahiti|TAN TZA Tanzania|TGA TON Tonga|THA Thailand|TJK Tajikistan|TKM Turkmenistan|TLS Timor-Leste|TOG TGO Togo
TPE TWN Taiwan|TRI TTO Trinidad and Tobago|TUN Tunisia|TUR Turkey|TUV Tuvalu|UGA Uganda|UKR Ukraine|URU URY Uruguay
USA United States|UZB Uzbekistan|VAN VUT Vanuatu|VAT Vatican City|VEN Venezuela|VIE VNM Vietnam
VIN VCT Saint Vincent and the Grenadines|WAL Wales|YEM Yemen|ZAM ZMB Zambia|ZIM ZWE Zimbabwe
URS Soviet Union|TCH Czechoslovakia|YUG Yugoslavia|GDR East Germany|FRG West Germany|SCG Serbia and Montenegro
"""


def _read(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in text.replace("\n", "|").split("|"):
        words = entry.split()
        codes = [word for word in words if len(word) == 3 and word.isupper()]
        found |= dict.fromkeys(codes, " ".join(words[len(codes) :]))
    return found


COUNTRY_NAMES = _read(_NAMES)
"""Taken for a country where the page writes the code in capitals: {{FRO}}."""
