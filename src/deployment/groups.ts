/**
 * Groups of objects of Kubernetes that are made into nothing else: its own, and those of what is widely installed. One that is not
 * here may be claimed by a composition, which makes policies of it.
 */
const plainGroups: ReadonlySet<string> = new Set(
  `
  k8s.io kubernetes.io x-k8s.io istio.io cert-manager.io coreos.com
  traefik.io traefik.containo.us external-secrets.io cilium.io projectcalico.org keda.sh
  knative.dev linkerd.io grafana.com grafana.integreatly.org elastic.co bitnami.com
  openshift.io metallb.io longhorn.io velero.io kyverno.io gatekeeper.sh
  opentelemetry.io strimzi.io tekton.dev kubevirt.io argoproj.io jaegertracing.io
  nginx.org konghq.com hashicorp.com aquasecurity.github.io karpenter.sh azure.com
  amazonaws.com gke.io google.com crossplane.io upbound.io rabbitmq.com
  zalan.do percona.com mongodb.com redis.redis.opstreelabs.in mariadb.com k8ssandra.io
  crunchydata.com cockroachlabs.com apache.org banzaicloud.io spotahome.com datadoghq.com
  newrelic.com dynatrace.com sysdig.com vmware.com projectcontour.io getambassador.io
  fission.io argoproj-labs.io stakater.com kubeflow.org ray.io volcano.sh
  cnpg.io victoriametrics.com fluentbit.io fluent.io chaos-mesh.org keycloak.org
  vitess.io nats.io nvidia.com rook.io csi.aws clickhouse.altinity.com
  flagger.app
  `
    .trim()
    .split(/\s+/),
)

/** The groups of Kubernetes that have no domain. */
const builtIn: ReadonlySet<string> = new Set(['', 'v1', 'apps', 'batch', 'autoscaling', 'policy', 'extensions'])

/** Whether a group, or a domain that it is in, is known to be made into nothing else. */
export function isPlainGroup(group: string): boolean {
  const parts = group.split('.')
  return builtIn.has(group) || parts.some((_, i) => plainGroups.has(parts.slice(i).join('.')))
}
