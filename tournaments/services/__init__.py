"""What people do: one verb per function, one transaction each. Pages, API and commands share them."""
