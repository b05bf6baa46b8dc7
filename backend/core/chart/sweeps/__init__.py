"""Results across cells that differ in one factor: cost per hop, knees of load sweeps."""
