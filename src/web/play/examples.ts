import type { Asked } from '../ask/asked.ts'
import type { Shared } from './shared.ts'

/** The initial files of the playground. */

export interface Example extends Pick<Shared, 'files'> {
  readonly title: string
  readonly asked: Asked
}

const nothing: Asked = { kind: 'can', identity: '', action: '', resource: '', ip: '', at: '', tag: '', group: '' }

export const examples: readonly Example[] = [
  {
    title: 'A policy with mistakes',
    asked: { ...nothing, identity: 'user/ann', action: 'vps:apisvc:reboot', resource: 'vps:web-1' },
    files: [
      [
        'policy.yaml',
        `name: operators
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
  - urn:v1:eu:identity:user:ab12-svc/ann
resources:
  - urn: urn:v1:eu:resource:vps:web-1
permissions:
  allow:
    - action: vps:apisvc:get
    - action: vps:apisvc:rebot
    - action: vps:apisvc:snapshot/*
  except:
    - action: dnsZone:apisvc:get
`,
      ],
    ],
  },
  {
    title: 'Conditions, and a fact that is missing',
    asked: { ...nothing, identity: 'user/cleo', action: 'vps:apisvc:reboot', resource: 'vps:web-1' },
    files: [
      [
        'operators.yaml',
        `name: operators restart servers from the office
identities:
  - urn:v1:eu:identity:group:ab12-svc/operators
resources:
  - urn: urn:v1:eu:resource:vps:*
permissions:
  allow:
    - action: vps:apisvc:get
    - action: vps:apisvc:reboot
conditions:
  operator: MATCH
  values:
    request.IP.IN_RANGE: 198.51.100.0/24
`,
      ],
      [
        'world.yaml',
        `account: ab12-svc
identities:
  - urn: urn:v1:eu:identity:user:ab12-svc/cleo
    groups: [urn:v1:eu:identity:group:ab12-svc/operators]
resources:
  - urn: urn:v1:eu:resource:vps:web-1
    tags: { env: prod }
`,
      ],
    ],
  },
  {
    title: 'A deny that decides',
    asked: { ...nothing, kind: 'who', action: 'vps:apisvc:terminate', resource: 'vps:*' },
    files: [
      [
        'policies.json',
        `${JSON.stringify(
          [
            {
              name: 'operators',
              identities: ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:identity:user:ab12-svc/bob'],
              resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
              permissions: { allow: [{ action: 'vps:*' }] },
            },
            {
              name: 'nobody ends a production server',
              identities: ['urn:v1:eu:identity:user:ab12-svc/*'],
              resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
              permissions: { deny: [{ action: 'vps:apisvc:terminate' }] },
              conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
            },
          ],
          null,
          2,
        )}\n`,
      ],
      [
        'world.yaml',
        `account: ab12-svc
resources:
  - urn: urn:v1:eu:resource:vps:db-1
    tags: { env: prod }
  - urn: urn:v1:eu:resource:vps:web-1
    tags: { env: staging }
`,
      ],
    ],
  },
  { title: 'Empty', asked: nothing, files: [['policy.yaml', '']] },
]
