"""MuSiQue: questions of two to four steps, put together from single hops that need each other."""
