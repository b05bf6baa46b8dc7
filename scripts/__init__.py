"""How Plimsoll starts, stops and is checked."""
