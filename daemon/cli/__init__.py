"""The command line: one module for each command, which adds itself to the parser of `main`.

What is wrong with the input is said in one line on stderr, with what to type next.
"""
