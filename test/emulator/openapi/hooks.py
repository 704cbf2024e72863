"""Values of the names that the emulator's OpenAPI document takes: schemathesis generates them for the formats of its schemas."""

import schemathesis
from hypothesis import strategies as st

word = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=12)
kinds = st.sampled_from(["webHosting", "vps", "domain"])
regions = st.sampled_from(["eu", "ca"])
actions = st.sampled_from(["webHosting:apisvc:get", "vps:apisvc:get", "account:apisvc:iam/policy/get", "vps:apisvc:reboot"])
resources = st.builds("urn:v1:{}:resource:{}:{}".format, regions, kinds, word)
# A bound far below the limits keeps generated bodies small.
no_blank_ends = st.from_regex(r"[a-z0-9]([a-z0-9 ]{0,30}[a-z0-9])?", fullmatch=True)

formats = {
    "identity-urn": st.builds("urn:v1:{}:identity:{}:ab12-svc/{}".format, regions, st.sampled_from(["user", "group", "credential"]), word),
    "resource-urn": resources,
    "resource-pattern": st.one_of(resources, st.builds("urn:v1:{}:resource:{}:*".format, regions, kinds)),
    "permissions-group-urn": st.builds("urn:v1:{}:permissionsGroup:ab12-svc:{}".format, regions, word),
    "action": actions,
    "action-pattern": st.one_of(actions, st.sampled_from(["*", "vps:*", "webHosting:apisvc:*"])),
    "name": no_blank_ends,
    "group-name": word,
    "redirection": st.builds("https://{}.example.org/{}".format, word, word),
    "resource-type": kinds,
}
for name, strategy in formats.items():
    schemathesis.openapi.format(name, strategy)
