"""Wikipedia pages: dumps in, clean text, sentences and passages out."""
