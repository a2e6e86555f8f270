"""The words that Facedown's server and clients share: values and bytes, no input or output."""
