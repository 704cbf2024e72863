// Generated from the files of the rules by `npm run generate`: do not edit.
import { accessPathStart } from './access-rules/access-path-start.ts'
import { accountAction } from './actions/account-action.ts'
import { accountCase } from './identities/account-case.ts'
import { actionPattern } from './actions/action-pattern.ts'
import { actionWithoutResource } from './actions/action-without-resource.ts'
import { afterIsInclusive } from './conditions/after-is-inclusive.ts'
import { allowEverything } from './actions/allow-everything.ts'
import { allowMeetsDeny } from './whole-set/allow-meets-deny.ts'
import { allowNeverApplies } from './conditions/allow-never-applies.ts'
import { allowUnderDeny } from './actions/allow-under-deny.ts'
import { anyAddress } from './conditions/any-address.ts'
import { blankAroundTag } from './conditions/blank-around-tag.ts'
import { clockChangeHour } from './conditions/clock-change-hour.ts'
import { conditionBypassed } from './whole-set/condition-bypassed.ts'
import { conditionKey } from './conditions/condition-key.ts'
import { conditionOperator } from './conditions/condition-operator.ts'
import { conditionShape } from './conditions/condition-shape.ts'
import { conditionTimezone } from './conditions/condition-timezone.ts'
import { conditionTypeWithoutAction } from './conditions/condition-type-without-action.ts'
import { conditionValue } from './conditions/condition-value.ts'
import { controlPlaneResource } from './resources/control-plane-resource.ts'
import { deadPolicy } from './whole-set/dead-policy.ts'
import { defaultGroupWrites } from './identities/default-group-writes.ts'
import { defaultResourceGroup } from './resources/default-resource-group.ts'
import { denyExpires } from './expiry/deny-expires.ts'
import { denyFailsOpen } from './conditions/deny-fails-open.ts'
import { denyForAccount } from './identities/deny-for-account.ts'
import { denyMissesIdentity } from './identities/deny-misses-identity.ts'
import { denyMissesNested } from './actions/deny-misses-nested.ts'
import { deprecatedAction } from './actions/deprecated-action.ts'
import { duplicateDefinition } from './document/duplicate-definition.ts'
import { duplicateName } from './document/duplicate-name.ts'
import { effectivelyEverything } from './resources/effectively-everything.ts'
import { emptyList } from './document/empty-list.ts'
import { emptyResourceGroup } from './resources/empty-resource-group.ts'
import { equivalentPolicies } from './whole-set/equivalent-policies.ts'
import { escalatesThroughResource } from './risk/escalates-through-resource.ts'
import { exceptIsNotDeny } from './actions/except-is-not-deny.ts'
import { exceptSwallowsAllow } from './actions/except-swallows-allow.ts'
import { exceptWithoutDeny } from './risk/except-without-deny.ts'
import { expired } from './expiry/expired.ts'
import { expiredIgnore } from './upkeep/expired-ignore.ts'
import { expiresBeforeWindow } from './expiry/expires-before-window.ts'
import { expiresSoon } from './expiry/expires-soon.ts'
import { expiresTooLate } from './expiry/expires-too-late.ts'
import { expiryDate } from './expiry/expiry-date.ts'
import { fileName } from './document/file-name.ts'
import { foreignAccount } from './identities/foreign-account.ts'
import { foreignResource } from './resources/foreign-resource.ts'
import { grantsAuditChanges } from './risk/grants-audit-changes.ts'
import { grantsCredentials } from './risk/grants-credentials.ts'
import { grantsEscalation } from './risk/grants-escalation.ts'
import { grantsExposure } from './risk/grants-exposure.ts'
import { grantsProductEscalation } from './risk/grants-product-escalation.ts'
import { grantsSpending } from './risk/grants-spending.ts'
import { grantsTagging } from './risk/grants-tagging.ts'
import { identityMix } from './identities/identity-mix.ts'
import { identityUrn } from './identities/identity-urn.ts'
import { idleDeny } from './whole-set/idle-deny.ts'
import { idleExcept } from './actions/idle-except.ts'
import { ignoreUnknownCode } from './upkeep/ignore-unknown-code.ts'
import { ignoreWithoutReason } from './upkeep/ignore-without-reason.ts'
import { impossibleCondition } from './conditions/impossible-condition.ts'
import { individualUser } from './identities/individual-user.ts'
import { innerWildcard } from './actions/inner-wildcard.ts'
import { listInTag } from './conditions/list-in-tag.ts'
import { listUnderEquality } from './conditions/list-under-equality.ts'
import { literalPatternCharacter } from './document/literal-pattern-character.ts'
import { localUser } from './identities/local-user.ts'
import { memberBesideGroup } from './identities/member-beside-group.ts'
import { memberBesideResourceGroup } from './resources/member-beside-resource-group.ts'
import { mergeablePolicies } from './whole-set/mergeable-policies.ts'
import { missingDescription } from './document/missing-description.ts'
import { missingListCall } from './access-rules/missing-list-call.ts'
import { mixedRegions } from './document/mixed-regions.ts'
import { mixedTimeZones } from './conditions/mixed-time-zones.ts'
import { namingConvention } from './document/naming-convention.ts'
import { needlessNesting } from './conditions/needless-nesting.ts'
import { neverEqual } from './document/never-equal.ts'
import { noIdentities } from './identities/no-identities.ts'
import { noKnownRequest } from './resources/no-known-request.ts'
import { noPermissions } from './document/no-permissions.ts'
import { noResources } from './resources/no-resources.ts'
import { oldCatalogue } from './upkeep/old-catalogue.ts'
import { onlyPrivateAddresses } from './conditions/only-private-addresses.ts'
import { overriddenAction } from './whole-set/overridden-action.ts'
import { overriddenPolicy } from './whole-set/overridden-policy.ts'
import { partialSegment } from './access-rules/partial-segment.ts'
import { pathParameter } from './access-rules/path-parameter.ts'
import { pathWithoutAction } from './access-rules/path-without-action.ts'
import { permissionsGroupUrn } from './document/permissions-group-urn.ts'
import { placeholderInUrn } from './document/placeholder-in-urn.ts'
import { policyForNobody } from './identities/policy-for-nobody.ts'
import { policyName } from './document/policy-name.ts'
import { prefixWithoutSeparator } from './resources/prefix-without-separator.ts'
import { privateAddress } from './conditions/private-address.ts'
import { rangeHostBits } from './conditions/range-host-bits.ts'
import { readOnlyInName } from './actions/read-only-in-name.ts'
import { readOnlyPolicy } from './document/read-only-policy.ts'
import { redundantAccessRule } from './access-rules/redundant-access-rule.ts'
import { redundantAction } from './actions/redundant-action.ts'
import { redundantCondition } from './conditions/redundant-condition.ts'
import { redundantIdentity } from './identities/redundant-identity.ts'
import { redundantPolicy } from './whole-set/redundant-policy.ts'
import { redundantRange } from './conditions/redundant-range.ts'
import { redundantResource } from './resources/redundant-resource.ts'
import { redundantToday } from './actions/redundant-today.ts'
import { repeatedByGroup } from './actions/repeated-by-group.ts'
import { requiredCondition } from './conditions/required-condition.ts'
import { resourceOutsideCondition } from './conditions/resource-outside-condition.ts'
import { resourceUrn } from './resources/resource-urn.ts'
import { resourceWildcard } from './resources/resource-wildcard.ts'
import { resourceWithoutAction } from './resources/resource-without-action.ts'
import { riskyWildcard } from './risk/risky-wildcard.ts'
import { selfServiceTag } from './conditions/self-service-tag.ts'
import { serverField } from './document/server-field.ts'
import { serviceAccountName } from './identities/service-account-name.ts'
import { shadowedDeny } from './whole-set/shadowed-deny.ts'
import { shape } from './document/shape.ts'
import { sizeLimit } from './document/size-limit.ts'
import { staleBaseline } from './upkeep/stale-baseline.ts'
import { strayCharacter } from './document/stray-character.ts'
import { syntax } from './document/syntax.ts'
import { temporaryWithoutExpiry } from './expiry/temporary-without-expiry.ts'
import { trailingSlash } from './access-rules/trailing-slash.ts'
import { unboundedDestruction } from './risk/unbounded-destruction.ts'
import { unboundedReads } from './risk/unbounded-reads.ts'
import { unknownAccessPath } from './access-rules/unknown-access-path.ts'
import { unknownAction } from './actions/unknown-action.ts'
import { unknownConditionType } from './conditions/unknown-condition-type.ts'
import { unknownIdentity } from './identities/unknown-identity.ts'
import { unknownMethod } from './access-rules/unknown-method.ts'
import { unknownPermissionsGroup } from './actions/unknown-permissions-group.ts'
import { unknownProduct } from './actions/unknown-product.ts'
import { unknownProtectedAction } from './actions/unknown-protected-action.ts'
import { unknownRegion } from './document/unknown-region.ts'
import { unknownResource } from './resources/unknown-resource.ts'
import { unknownResourceGroup } from './resources/unknown-resource-group.ts'
import { unknownType } from './resources/unknown-type.ts'
import { unscopedResource } from './resources/unscoped-resource.ts'
import { unsortedList } from './document/unsorted-list.ts'
import { untaggedMatches } from './conditions/untagged-matches.ts'
import { unusedIgnore } from './upkeep/unused-ignore.ts'
import { unusedTag } from './conditions/unused-tag.ts'
import { vacuousCondition } from './conditions/vacuous-condition.ts'
import { wholeAccountGrant } from './identities/whole-account-grant.ts'
import { wholeApi } from './access-rules/whole-api.ts'
import { wholeApiMethod } from './access-rules/whole-api-method.ts'
import { wholeProduct } from './actions/whole-product.ts'
import { wideRange } from './conditions/wide-range.ts'
import { wildcardAsText } from './conditions/wildcard-as-text.ts'
import { wildcardForOneAction } from './actions/wildcard-for-one-action.ts'
import { wildcardGrowth } from './actions/wildcard-growth.ts'
import { wildcardIdentity } from './identities/wildcard-identity.ts'
import { wildcardInProduct } from './actions/wildcard-in-product.ts'
import { wildcardWithoutAction } from './actions/wildcard-without-action.ts'
import { windowOver } from './expiry/window-over.ts'
import { wrappingRange } from './conditions/wrapping-range.ts'
import { writeWithoutRead } from './actions/write-without-read.ts'
import type { Rule } from './rule.ts'

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
  denyMissesIdentity,
  denyMissesNested,
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
  grantsProductEscalation,
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
  neverEqual,
  noIdentities,
  noKnownRequest,
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
  policyForNobody,
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
