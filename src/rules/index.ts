import { accessPathStart } from './access-path-start.ts'
import { accountAction } from './account-action.ts'
import { accountCase } from './account-case.ts'
import { actionPattern } from './action-pattern.ts'
import { actionWithoutResource } from './action-without-resource.ts'
import { afterIsInclusive } from './after-is-inclusive.ts'
import { allowEverything } from './allow-everything.ts'
import { allowMeetsDeny } from './allow-meets-deny.ts'
import { allowNeverApplies } from './allow-never-applies.ts'
import { allowUnderDeny } from './allow-under-deny.ts'
import { anyAddress } from './any-address.ts'
import { blankAroundTag } from './blank-around-tag.ts'
import { clockChangeHour } from './clock-change-hour.ts'
import { conditionBypassed } from './condition-bypassed.ts'
import { conditionKey } from './condition-key.ts'
import { conditionOperator } from './condition-operator.ts'
import { conditionShape } from './condition-shape.ts'
import { conditionTimezone } from './condition-timezone.ts'
import { conditionTypeWithoutAction } from './condition-type-without-action.ts'
import { conditionValue } from './condition-value.ts'
import { controlPlaneResource } from './control-plane-resource.ts'
import { deadPolicy } from './dead-policy.ts'
import { defaultGroupWrites } from './default-group-writes.ts'
import { defaultResourceGroup } from './default-resource-group.ts'
import { denyExpires } from './deny-expires.ts'
import { denyFailsOpen } from './deny-fails-open.ts'
import { denyForAccount } from './deny-for-account.ts'
import { deprecatedAction } from './deprecated-action.ts'
import { duplicateDefinition } from './duplicate-definition.ts'
import { duplicateName } from './duplicate-name.ts'
import { effectivelyEverything } from './effectively-everything.ts'
import { emptyList } from './empty-list.ts'
import { emptyResourceGroup } from './empty-resource-group.ts'
import { equivalentPolicies } from './equivalent-policies.ts'
import { escalatesThroughResource } from './escalates-through-resource.ts'
import { exceptIsNotDeny } from './except-is-not-deny.ts'
import { exceptSwallowsAllow } from './except-swallows-allow.ts'
import { exceptWithoutDeny } from './except-without-deny.ts'
import { expired } from './expired.ts'
import { expiredIgnore } from './expired-ignore.ts'
import { expiresBeforeWindow } from './expires-before-window.ts'
import { expiresSoon } from './expires-soon.ts'
import { expiresTooLate } from './expires-too-late.ts'
import { expiryDate } from './expiry-date.ts'
import { fileName } from './file-name.ts'
import { foreignAccount } from './foreign-account.ts'
import { foreignResource } from './foreign-resource.ts'
import { grantsAuditChanges } from './grants-audit-changes.ts'
import { grantsCredentials } from './grants-credentials.ts'
import { grantsEscalation } from './grants-escalation.ts'
import { grantsExposure } from './grants-exposure.ts'
import { grantsSpending } from './grants-spending.ts'
import { grantsTagging } from './grants-tagging.ts'
import { identityMix } from './identity-mix.ts'
import { identityUrn } from './identity-urn.ts'
import { idleDeny } from './idle-deny.ts'
import { idleExcept } from './idle-except.ts'
import { ignoreUnknownCode } from './ignore-unknown-code.ts'
import { ignoreWithoutReason } from './ignore-without-reason.ts'
import { impossibleCondition } from './impossible-condition.ts'
import { individualUser } from './individual-user.ts'
import { innerWildcard } from './inner-wildcard.ts'
import { listInTag } from './list-in-tag.ts'
import { listUnderEquality } from './list-under-equality.ts'
import { literalPatternCharacter } from './literal-pattern-character.ts'
import { localUser } from './local-user.ts'
import { memberBesideGroup } from './member-beside-group.ts'
import { memberBesideResourceGroup } from './member-beside-resource-group.ts'
import { mergeablePolicies } from './mergeable-policies.ts'
import { missingDescription } from './missing-description.ts'
import { missingListCall } from './missing-list-call.ts'
import { mixedRegions } from './mixed-regions.ts'
import { mixedTimeZones } from './mixed-time-zones.ts'
import { namingConvention } from './naming-convention.ts'
import { needlessNesting } from './needless-nesting.ts'
import { noIdentities } from './no-identities.ts'
import { noPermissions } from './no-permissions.ts'
import { noResources } from './no-resources.ts'
import { oldCatalogue } from './old-catalogue.ts'
import { onlyPrivateAddresses } from './only-private-addresses.ts'
import { overriddenAction } from './overridden-action.ts'
import { overriddenPolicy } from './overridden-policy.ts'
import { partialSegment } from './partial-segment.ts'
import { pathParameter } from './path-parameter.ts'
import { pathWithoutAction } from './path-without-action.ts'
import { permissionsGroupUrn } from './permissions-group-urn.ts'
import { placeholderInUrn } from './placeholder-in-urn.ts'
import { policyName } from './policy-name.ts'
import { prefixWithoutSeparator } from './prefix-without-separator.ts'
import { privateAddress } from './private-address.ts'
import { rangeHostBits } from './range-host-bits.ts'
import { readOnlyInName } from './read-only-in-name.ts'
import { readOnlyPolicy } from './read-only-policy.ts'
import { redundantAccessRule } from './redundant-access-rule.ts'
import { redundantAction } from './redundant-action.ts'
import { redundantCondition } from './redundant-condition.ts'
import { redundantIdentity } from './redundant-identity.ts'
import { redundantPolicy } from './redundant-policy.ts'
import { redundantRange } from './redundant-range.ts'
import { redundantResource } from './redundant-resource.ts'
import { redundantToday } from './redundant-today.ts'
import { repeatedByGroup } from './repeated-by-group.ts'
import { requiredCondition } from './required-condition.ts'
import { resourceOutsideCondition } from './resource-outside-condition.ts'
import { resourceUrn } from './resource-urn.ts'
import { resourceWildcard } from './resource-wildcard.ts'
import { resourceWithoutAction } from './resource-without-action.ts'
import { riskyWildcard } from './risky-wildcard.ts'
import type { Rule } from './rule.ts'
import { selfServiceTag } from './self-service-tag.ts'
import { serverField } from './server-field.ts'
import { serviceAccountName } from './service-account-name.ts'
import { shadowedDeny } from './shadowed-deny.ts'
import { shape } from './shape.ts'
import { sizeLimit } from './size-limit.ts'
import { staleBaseline } from './stale-baseline.ts'
import { strayCharacter } from './stray-character.ts'
import { syntax } from './syntax.ts'
import { temporaryWithoutExpiry } from './temporary-without-expiry.ts'
import { trailingSlash } from './trailing-slash.ts'
import { unboundedDestruction } from './unbounded-destruction.ts'
import { unboundedReads } from './unbounded-reads.ts'
import { unknownAccessPath } from './unknown-access-path.ts'
import { unknownAction } from './unknown-action.ts'
import { unknownConditionType } from './unknown-condition-type.ts'
import { unknownIdentity } from './unknown-identity.ts'
import { unknownMethod } from './unknown-method.ts'
import { unknownPermissionsGroup } from './unknown-permissions-group.ts'
import { unknownProduct } from './unknown-product.ts'
import { unknownProtectedAction } from './unknown-protected-action.ts'
import { unknownRegion } from './unknown-region.ts'
import { unknownResource } from './unknown-resource.ts'
import { unknownResourceGroup } from './unknown-resource-group.ts'
import { unknownType } from './unknown-type.ts'
import { unscopedResource } from './unscoped-resource.ts'
import { unsortedList } from './unsorted-list.ts'
import { untaggedMatches } from './untagged-matches.ts'
import { unusedIgnore } from './unused-ignore.ts'
import { unusedTag } from './unused-tag.ts'
import { vacuousCondition } from './vacuous-condition.ts'
import { wholeAccountGrant } from './whole-account-grant.ts'
import { wholeApi } from './whole-api.ts'
import { wholeApiMethod } from './whole-api-method.ts'
import { wholeProduct } from './whole-product.ts'
import { wideRange } from './wide-range.ts'
import { wildcardAsText } from './wildcard-as-text.ts'
import { wildcardForOneAction } from './wildcard-for-one-action.ts'
import { wildcardGrowth } from './wildcard-growth.ts'
import { wildcardIdentity } from './wildcard-identity.ts'
import { wildcardInProduct } from './wildcard-in-product.ts'
import { wildcardWithoutAction } from './wildcard-without-action.ts'
import { windowOver } from './window-over.ts'
import { wrappingRange } from './wrapping-range.ts'
import { writeWithoutRead } from './write-without-read.ts'

/** Every rule, sorted by code. */
export const rules: readonly Rule[] = [
  accessPathStart,
  accountAction,
  accountCase,
  actionPattern,
  actionWithoutResource,
  afterIsInclusive,
  allowEverything,
  allowMeetsDeny,
  allowNeverApplies,
  allowUnderDeny,
  anyAddress,
  blankAroundTag,
  clockChangeHour,
  conditionBypassed,
  conditionKey,
  conditionOperator,
  conditionShape,
  conditionTimezone,
  conditionTypeWithoutAction,
  conditionValue,
  controlPlaneResource,
  deadPolicy,
  defaultGroupWrites,
  defaultResourceGroup,
  denyExpires,
  denyFailsOpen,
  denyForAccount,
  deprecatedAction,
  duplicateDefinition,
  duplicateName,
  effectivelyEverything,
  emptyList,
  emptyResourceGroup,
  equivalentPolicies,
  escalatesThroughResource,
  exceptIsNotDeny,
  exceptSwallowsAllow,
  exceptWithoutDeny,
  expired,
  expiredIgnore,
  expiresBeforeWindow,
  expiresSoon,
  expiresTooLate,
  expiryDate,
  fileName,
  foreignAccount,
  foreignResource,
  grantsAuditChanges,
  grantsCredentials,
  grantsEscalation,
  grantsExposure,
  grantsSpending,
  grantsTagging,
  identityMix,
  identityUrn,
  idleDeny,
  idleExcept,
  ignoreUnknownCode,
  ignoreWithoutReason,
  impossibleCondition,
  individualUser,
  innerWildcard,
  listInTag,
  listUnderEquality,
  literalPatternCharacter,
  localUser,
  memberBesideGroup,
  memberBesideResourceGroup,
  mergeablePolicies,
  missingDescription,
  missingListCall,
  mixedRegions,
  mixedTimeZones,
  namingConvention,
  needlessNesting,
  noIdentities,
  noPermissions,
  noResources,
  oldCatalogue,
  onlyPrivateAddresses,
  overriddenAction,
  overriddenPolicy,
  partialSegment,
  pathParameter,
  pathWithoutAction,
  permissionsGroupUrn,
  placeholderInUrn,
  policyName,
  prefixWithoutSeparator,
  privateAddress,
  rangeHostBits,
  readOnlyInName,
  readOnlyPolicy,
  redundantAccessRule,
  redundantAction,
  redundantCondition,
  redundantIdentity,
  redundantPolicy,
  redundantRange,
  redundantResource,
  redundantToday,
  repeatedByGroup,
  requiredCondition,
  resourceOutsideCondition,
  resourceUrn,
  resourceWildcard,
  resourceWithoutAction,
  riskyWildcard,
  selfServiceTag,
  serverField,
  serviceAccountName,
  shadowedDeny,
  shape,
  sizeLimit,
  staleBaseline,
  strayCharacter,
  syntax,
  temporaryWithoutExpiry,
  trailingSlash,
  unboundedDestruction,
  unboundedReads,
  unknownAccessPath,
  unknownAction,
  unknownConditionType,
  unknownIdentity,
  unknownMethod,
  unknownPermissionsGroup,
  unknownProduct,
  unknownProtectedAction,
  unknownRegion,
  unknownResource,
  unknownResourceGroup,
  unknownType,
  unscopedResource,
  unsortedList,
  untaggedMatches,
  unusedIgnore,
  unusedTag,
  vacuousCondition,
  wholeAccountGrant,
  wholeApi,
  wholeApiMethod,
  wholeProduct,
  wideRange,
  wildcardAsText,
  wildcardForOneAction,
  wildcardGrowth,
  wildcardIdentity,
  wildcardInProduct,
  wildcardWithoutAction,
  windowOver,
  wrappingRange,
  writeWithoutRead,
]
