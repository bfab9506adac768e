"""Where single hops come from: the files of five datasets, a neutral form, and statements with evidence."""
