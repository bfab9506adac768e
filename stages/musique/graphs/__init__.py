"""Step 4: reasoning graphs of six shapes out of bridges."""
