group = "urn:v1:eu:identity:user:ab12-svc/ann
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ syntax
