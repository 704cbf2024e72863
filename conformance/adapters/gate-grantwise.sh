# grantwise as a gate: what the change gives, compared with its base. Anything but "no new access" stops it.
exec node "$(dirname "$0")/../../bin/grantwise.js" diff git:main .
