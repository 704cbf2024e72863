/**
 * A rule about one policy at a time.
 * @type {import('grantwise').Rule}
 */
export const namesOwner = {
  code: 'acme/names-owner',
  section: 'document',
  severity: 'error',
  summary: 'The description does not name the team that owns the policy.',
  why: 'Reviews ask the team that owns a policy. Begin the description with the name of the team, as in `web: restarts at night`.',
  link: 'https://wiki.example.org/iam/owners',
  options: [{ name: 'teams', type: 'texts', text: 'the teams there are', required: true }],
  *policy({ name, description }, { options }) {
    const { teams = [] } = options('acme/names-owner')
    if (teams.some((team) => description?.value.startsWith(`${team}: `))) return
    yield {
      span: (description ?? name).span,
      message: description ? `the description of \`${name.value}\` names no team` : `\`${name.value}\` has no description`,
      help: `begin the description with a team: ${teams.join(', ')}`,
    }
  },
}
