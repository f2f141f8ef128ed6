"""The house behind the public modules: twelve rooms, each importing only those before it. Nothing here is promised."""
