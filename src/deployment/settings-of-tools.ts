import type { Policies } from './facts.ts'

/** Files that tools read by their names. */
export const settings: readonly (readonly [path: RegExp, needs: 'inTerraform' | 'inManifests' | undefined, why: string])[] = [
  [/(?:^|\/)(?:atlantis|digger|env0|scalr)\.ya?ml$|^\.(?:spacelift|terrateam)\//, 'inTerraform', 'it says how configurations are applied'],
  [
    /(?:^|\/)(?:helmfile|skaffold|devspace|kluctl|\.kluctl|werf|garden|fleet|kapp|kpt|Kptfile)(?:\.[\w-]+)*(?:\.(?:ya?ml)(?:\.gotmpl)?)?$/,
    'inManifests',
    'it says what is applied',
  ],
  [/(?:^|\/)\.terraform\/environment$/, 'inTerraform', 'it chooses the workspace'],
  [/(?:^|\/)\.terraform\/modules\//, 'inTerraform', 'Terraform writes what it fetches there, which may be something else'],
  [/(?:^|\/)\.(?:terraformignore|krmignore|helmignore)$/, undefined, 'it says which files are left out'],
  [
    /\.(?:tfcomponent|tfdeploy|tfstack)\.hcl(?:\.json)?$/,
    'inTerraform',
    'it is part of a stack of Terraform, which gives values to configurations',
  ],
  [/(?:^|\/)\.sourceignore$/, 'inManifests', 'Flux leaves out the files that it names'],
  [/(?:^|\/)\.argocd-source[\w.-]*\.yaml$/, 'inManifests', 'it changes what Argo CD applies'],
  [/(?:^|\/)(?:group_vars|host_vars)\/|(?:^|\/)(?:inventory|hosts)(?:\.(?:ini|ya?ml))?$/, undefined, 'Ansible takes values from it'],
  [/(?:^|\/)PulumiPlugin\.ya?ml$/, undefined, 'it is a component of Pulumi, which is not read'],
]

/** Whether a tool that deploys such policies reads a file by its name. */
export const isSetting = (path: string, policies: Policies): boolean =>
  settings.some(([pattern, needs]) => pattern.test(path) && (needs === undefined || policies[needs]))
