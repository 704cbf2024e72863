"""Keeps a record at the address of this machine."""
import os

import svc

client = svc.Client(endpoint="svc-eu")
ZONE = "acme.example"


def update(sub_domain, address):
    path = "/domain/zone/%s/record" % ZONE
    for record in client.get(path, fieldType="A", subDomain=sub_domain):
        client.put("{}/{}".format(path, record), target=address)
    client.post(f"/domain/zone/{ZONE}/refresh")


update(os.environ["SUB_DOMAIN"], os.environ["ADDRESS"])
