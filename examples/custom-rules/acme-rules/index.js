import { namesOwner } from './names-owner.js'
import { tooManyPolicies } from './too-many-policies.js'

/** What grantwise takes from a rule module. */
export const rules = [namesOwner, tooManyPolicies]
