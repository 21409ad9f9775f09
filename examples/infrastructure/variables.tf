variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "image_id" {
  type        = string
  description = "An image with the application and its virtual environment in /srv/inference."
}

variable "instance_type" {
  type    = string
  default = "c7i.xlarge"
}

variable "vpc_id" {
  type = string
}

variable "subnet_ids" {
  type = list(string)
}

variable "security_group_ids" {
  type = list(string)
}
