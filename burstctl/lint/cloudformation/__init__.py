"""CloudFormation templates as the fleet that they declare. Creates nothing and asks nobody."""
