"""What a person means -> a command, a local change, or a hint why not. Pure.

The keys of the screen and the words of the plain client both end in these functions, so both give
one reason.
"""
