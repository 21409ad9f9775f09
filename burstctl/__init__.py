"""burstctl: send a burst of inference requests without harming the fleet that answers them."""

__version__ = "0.1.0"
