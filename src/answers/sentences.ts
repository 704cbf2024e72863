/** Sentences that several answers say, each written once. */

/** Why an owning account is allowed. */
export const owning = 'owns it: the owning account cannot be restricted'

/** In the place of "nobody" and "nothing" where not everything was looked at: a note says what was not. */
export const notLooked = 'undecided: not everything was looked at'

/** That no policy grants it to anybody. */
export const onlyOwners = 'nobody but the owning account'

/** In the place of an entry where a permissions group grants that no file describes. */
export const unknownPermissionsGroup = 'a permissions group that is not known'

export const nobody = 'nobody'
export const nothing = 'nothing'

/** Why nothing is granted. */
export const noPolicy = 'no policy grants it'

/** How the rows that are left out can be seen. */
export const listAll = (option = '`--all`') => `${option} lists them`
export const showAll = (option = '`--all`') => `${option} shows all`

/** What is granted on patterns of which no resource is described, and on others than those that are. */
export const noneDescribed = 'on resources of which none is described'
export const othersThanDescribed = 'on other resources than are described'
