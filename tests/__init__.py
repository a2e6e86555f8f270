"""The tests, a package all the way down so that they can share builders."""
