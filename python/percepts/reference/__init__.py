"""The definition: every modality, the text and its parser in plain Python and NumPy, cell by cell."""
