"""Data that the stages read: relation templates, wordings, lexicons, labelling configs and cards, all versioned."""
