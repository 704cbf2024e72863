import svc

client = svc.Client(endpoint="svc-eu")

client.post("/vps/db-1/createSnapshot", description="nightly")
for bill in client.get("/me/bill"):
    client.get(f"/me/bill/{bill}/details")
