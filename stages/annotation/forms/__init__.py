"""What people can be asked: task kinds, their forms and settings, and whether answers fit."""
