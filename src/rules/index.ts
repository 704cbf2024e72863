import { actionPattern } from './action-pattern.ts'
import { allowEverything } from './allow-everything.ts'
import { conditionKey } from './condition-key.ts'
import { conditionOperator } from './condition-operator.ts'
import { conditionShape } from './condition-shape.ts'
import { conditionTimezone } from './condition-timezone.ts'
import { conditionValue } from './condition-value.ts'
import { duplicateDefinition } from './duplicate-definition.ts'
import { duplicateName } from './duplicate-name.ts'
import { emptyList } from './empty-list.ts'
import { exceptSwallowsAllow } from './except-swallows-allow.ts'
import { expired } from './expired.ts'
import { expiryDate } from './expiry-date.ts'
import { identityUrn } from './identity-urn.ts'
import { idleExcept } from './idle-except.ts'
import { innerWildcard } from './inner-wildcard.ts'
import { mixedRegions } from './mixed-regions.ts'
import { noIdentities } from './no-identities.ts'
import { noPermissions } from './no-permissions.ts'
import { noResources } from './no-resources.ts'
import { permissionsGroupUrn } from './permissions-group-urn.ts'
import { policyName } from './policy-name.ts'
import { redundantAction } from './redundant-action.ts'
import { redundantResource } from './redundant-resource.ts'
import { resourceUrn } from './resource-urn.ts'
import { resourceWildcard } from './resource-wildcard.ts'
import type { Rule } from './rule.ts'
import { serverField } from './server-field.ts'
import { serviceAccountName } from './service-account-name.ts'
import { shape } from './shape.ts'
import { strayCharacter } from './stray-character.ts'
import { syntax } from './syntax.ts'
import { unknownAction } from './unknown-action.ts'
import { unknownProduct } from './unknown-product.ts'
import { unknownProtectedAction } from './unknown-protected-action.ts'
import { unknownRegion } from './unknown-region.ts'
import { unknownType } from './unknown-type.ts'
import { wildcardForOneAction } from './wildcard-for-one-action.ts'
import { wildcardIdentity } from './wildcard-identity.ts'
import { wildcardInProduct } from './wildcard-in-product.ts'
import { wildcardWithoutAction } from './wildcard-without-action.ts'

/** Every rule, sorted by code. */
export const rules: readonly Rule[] = [
  actionPattern,
  allowEverything,
  conditionKey,
  conditionOperator,
  conditionShape,
  conditionTimezone,
  conditionValue,
  duplicateDefinition,
  duplicateName,
  emptyList,
  exceptSwallowsAllow,
  expired,
  expiryDate,
  identityUrn,
  idleExcept,
  innerWildcard,
  mixedRegions,
  noIdentities,
  noPermissions,
  noResources,
  permissionsGroupUrn,
  policyName,
  redundantAction,
  redundantResource,
  resourceUrn,
  resourceWildcard,
  serverField,
  serviceAccountName,
  shape,
  strayCharacter,
  syntax,
  unknownAction,
  unknownProduct,
  unknownProtectedAction,
  unknownRegion,
  unknownType,
  wildcardForOneAction,
  wildcardIdentity,
  wildcardInProduct,
  wildcardWithoutAction,
]
