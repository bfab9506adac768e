"""Label Studio, Mechanical Turk and a neutral form: tasks out, replies in."""
