"""Step 3, the disconnection filter: what can be answered without taking the step goes."""
