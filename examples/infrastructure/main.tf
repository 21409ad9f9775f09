# A fleet that takes a burst: it grows at 70 % CPU, finds dead instances within half a minute, lets leaving ones go after
# another half, and wakes somebody when its queue stays long.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.30"
    }
  }
}

provider "aws" {
  region = var.region
}

resource "aws_launch_template" "inference" {
  name_prefix            = "inference-"
  image_id               = var.image_id
  instance_type          = var.instance_type
  vpc_security_group_ids = var.security_group_ids
  update_default_version = true

  # The image has the application in /srv/inference; the unit says how many workers serve it.
  user_data = base64encode(templatefile("${path.module}/user-data.sh.tftpl", {
    unit = file("${path.module}/inference.service")
  }))

  metadata_options {
    http_tokens = "required"
  }
}

resource "aws_autoscaling_group" "inference" {
  name                = "inference-asg"
  min_size            = 3
  max_size            = 12
  vpc_zone_identifier = var.subnet_ids

  target_group_arns         = [aws_lb_target_group.inference.arn]
  health_check_type         = "ELB"
  health_check_grace_period = 120
  default_instance_warmup   = 90

  launch_template {
    id      = aws_launch_template.inference.id
    version = aws_launch_template.inference.latest_version
  }

  instance_refresh {
    strategy = "Rolling"
    preferences {
      min_healthy_percentage = 100
    }
  }

  tag {
    key                 = "Name"
    value               = "inference"
    propagate_at_launch = true
  }
}

resource "aws_autoscaling_policy" "cpu" {
  name                      = "inference-cpu-70"
  autoscaling_group_name    = aws_autoscaling_group.inference.name
  policy_type               = "TargetTrackingScaling"
  estimated_instance_warmup = 90

  target_tracking_configuration {
    target_value = 70

    predefined_metric_specification {
      predefined_metric_type = "ASGAverageCPUUtilization"
    }
  }
}

resource "aws_lb_target_group" "inference" {
  name                 = "inference"
  port                 = 8000
  protocol             = "HTTP"
  vpc_id               = var.vpc_id
  deregistration_delay = 30

  health_check {
    path                = "/healthz"
    interval            = 10
    timeout             = 5
    healthy_threshold   = 2
    unhealthy_threshold = 3
    matcher             = "200"
  }
}

resource "aws_sns_topic" "oncall" {
  name = "inference-oncall"
}

# The application publishes its queue's length, from each instance; the longest one counts.
resource "aws_cloudwatch_metric_alarm" "queue" {
  alarm_name          = "inference-queue-length"
  alarm_description   = "The fleet serves slower than requests come in: stop bursts, then look at the group's activity."
  namespace           = "Inference"
  metric_name         = "InferenceQueueLength"
  statistic           = "Maximum"
  comparison_operator = "GreaterThanThreshold"
  threshold           = 300
  period              = 60
  evaluation_periods  = 2
  alarm_actions       = [aws_sns_topic.oncall.arn]
  ok_actions          = [aws_sns_topic.oncall.arn]
}
