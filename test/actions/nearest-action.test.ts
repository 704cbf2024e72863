import { describe, expect, test } from 'vitest'
import { isSlipForAction, nearestAction, nearestProduct, nearestType, pathsByNamespace } from '../../src/actions/suggest.ts'

/** A small service: `disk` serves two types, and both mail products the type `mailbox`. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  disk: ['disk', 'diskImage'],
  housing: ['rack'],
  mailOne: ['mailbox'],
  mailTwo: ['mailbox'],
  dnsZone: ['dnsZone'],
}
const actions = [
  'disk:api:attach',
  'disk:api:image/create',
  'disk:api:image/get',
  'disk:api:image/tags/edit',
  'disk:api:me/quota/get',
  'disk:api:volumes/backup_plan/get',
  'disk:store:bucket/purge',
  'disk:store:list',
  'dnsZone:apisvc:record/create',
]
const known = {
  products: ['disk', 'dnsZone', 'housing', 'mailOne', 'mailTwo'],
  types: ['disk', 'diskImage', 'dnsZone', 'mailbox', 'rack'],
  typesOf: (product: string) => typesOf[product] ?? [],
  pathsOf: (product: string) => pathsByNamespace(actions.filter((action) => action.startsWith(`${product}:`))),
}

describe('the action that was probably meant', () => {
  test.each<[why: string, written: string, meant: string]>([
    ['a typo in the product', 'dsik:api:attach', 'disk:api:attach'],
    ['a typo in the path', 'disk:api:atach', 'disk:api:attach'],
    ['a typo in a word of the path', 'disk:api:imag/tags/edit', 'disk:api:image/tags/edit'],
    ['typos in two words', 'disk:api:imag/tag/edit', 'disk:api:image/tags/edit'],
    ['no namespace', 'disk:attach', 'disk:api:attach'],
    ['no namespace, and the first one does not know the path', 'disk:bucket/purge', 'disk:store:bucket/purge'],
    ['a typo in the namespace', 'disk:stoer:bucket/purge', 'disk:store:bucket/purge'],
    ['the namespace of another brand', 'dnsZone:apiacme:record/creat', 'dnsZone:apisvc:record/create'],
    ['another namespace than that of the API', 'disk:store:bucket/purg', 'disk:store:bucket/purge'],
    ['a typo in it, and in the path', 'disk:stoer:bucket/purg', 'disk:store:bucket/purge'],
    ['a pattern in capitals alone', 'disk:api:volumes/BACKUPPLAN/*', 'disk:api:volumes/backup_plan/*'],
    ['a namespace of its own, with a known path', 'disk:compute:image/get', 'disk:api:image/get'],
    ['a known namespace, and a path of another', 'disk:api:bucket/purge', 'disk:store:bucket/purge'],
    ['a parameter', 'disk:api:atach?now', 'disk:api:attach'],
    ['a parameter with a colon', 'disk:api:atach?a:b', 'disk:api:attach'],
    ['a word of another provider', 'disk:api:image/show', 'disk:api:image/get'],
    ['such a word in capitals', 'disk:api:image/ADD', 'disk:api:image/create'],
    ['such a word for an edit', 'disk:api:image/tags/Patch', 'disk:api:image/tags/edit'],
    ['such a word and a typo', 'disk:api:imag/add', 'disk:api:image/create'],
    ['such a word, and an action without a verb', 'disk:api:attach/post', 'disk:api:attach'],
    ['a verb too many', 'disk:api:attach/create', 'disk:api:attach'],
    ['no verb', 'disk:api:image', 'disk:api:image/get'],
    ['another separator', 'disk:api:image.tags_edit', 'disk:api:image/tags/edit'],
    ['other capitals', 'disk:api:Image/Create', 'disk:api:image/create'],
    ['one word for two', 'disk:api:volumes/backupPlan/get', 'disk:api:volumes/backup_plan/get'],
    ['the first word missing', 'disk:api:quota/get', 'disk:api:me/quota/get'],
    ['a word in the middle missing', 'disk:api:volumes/get', 'disk:api:volumes/backup_plan/get'],
    ['a first word too many', 'disk:api:me/image/create', 'disk:api:image/create'],
    ['a pattern of a product', 'disc:*', 'disk:*'],
    ['a pattern of a product and namespace', 'disc:api:*', 'disk:api:*'],
    ['a pattern of a branch', 'disk:api:imge/*', 'disk:api:image/*'],
    ['a pattern of a deeper branch', 'disk:api:image/tag/*', 'disk:api:image/tags/*'],
    ['a pattern in other capitals', 'disk:api:Volumes/BackupPlan/*', 'disk:api:volumes/backup_plan/*'],
    ['a pattern without a namespace', 'disk:image/*', 'disk:api:image/*'],
  ])('%s: %s', (_, written, meant) => {
    expect(nearestAction(written, known)).toBe(meant)
  })

  test.each<[why: string, written: string]>([
    ['a known action', 'disk:api:attach'],
    ['a known pattern of a product', 'disk:*'],
    ['a known pattern of a namespace', 'disk:api:*'],
    ['a known pattern of a branch', 'disk:api:image/*'],
    ['an unknown product', 'network:api:attach'],
    ['a pattern of an unknown product', 'network:*'],
    ['a namespace of an API that does not have the path', 'disk:apiacme:bucket/purg'],
    ['a parameter alone', '?isk:api:attach'],
    ['a product without actions', 'housing:api:attach'],
    ['an unknown path', 'disk:api:terminate'],
    ['an unknown word in a known place', 'disk:api:image/terminate'],
    ['another verb', 'disk:api:image/delete'],
    ['another verb in another wording', 'disk:api:image/destroy'],
    ['a verb of an action with another, and a typo', 'disk:api:imag/delete'],
    ['a namespace of its own', 'disk:compute:atach'],
    ['a word left out that could be one of two', 'disk:api:x/image/tags/edit/y'],
    ['a path longer than any', 'disk:api:image/tags/edit/now'],
    ['a branch that is as long as its actions', 'disk:api:attch/*'],
    ['an unknown branch', 'disk:api:firewall/*'],
    ['a wildcard in a word', 'disk:api:atach*'],
    ['a wildcard before the last word', 'disk:api:*/gett'],
    ['two wildcards', 'disk:api:*/*'],
    ['a product alone', 'disk'],
    ['a product and a colon', 'disk:'],
    ['no path', 'disk:api:'],
    ['a part too many', 'disk:api:x:atach'],
    ['nothing', ''],
    ['no product', ':api:attach'],
  ])('none for %s: %s', (_, written) => {
    expect(nearestAction(written, known)).toBeUndefined()
  })

  test.each<[why: string, written: string, paths: readonly string[], meant: string | undefined]>([
    ['none where the missing word could be one of two', 'image/get', ['a/image/get', 'b/image/get'], undefined],
    ['none where two words are missing behind the first', 'image/get', ['image/get/tags/get'], undefined],
    ['two first words missing, and the verb first', 'get/image', ['me/disk/image/get'], 'me/disk/image/get'],
    ['a first word missing in camel case', 'getImageTags', ['me/image/tag/get'], 'me/image/tag/get'],
    ['none where a first word could be one of two, and the verb is first', 'get/image', ['a/image/get', 'b/c/image/get'], undefined],
    ['the one without a first word', 'get/image', ['a/image/get', 'b/image/get', 'image/get'], 'image/get'],
    ['the one without a first word among four', 'get/image', ['a/image/get', 'b/image/get', 'c/image/get', 'image/get'], 'image/get'],
    ['none among five', 'get/image', ['a/image/get', 'b/image/get', 'c/image/get', 'd/image/get', 'image/get'], undefined],
    ['the product repeated in the path of a call', 'get/disk/image', ['image/get'], 'image/get'],
    ['nothing but the product, repeated', 'get/disk', ['get', 'image/get'], 'get'],
    ['an action without a verb, called by POST', 'createDiskResize', ['disk/resize', 'disk/resized/delete'], 'disk/resize'],
    ['no other method than POST', 'deleteDiskResize', ['disk/resize'], undefined],
    ['none where the last word is missing, and does more than read', 'image', ['image/resize'], undefined],
    ['another wording before a typo', 'quota/set', ['quota/get', 'quota/edit'], 'quota/edit'],
    ['no other verb for a word of another provider', 'quot/list', ['quota/set'], undefined],
  ])('%s: %s', (_, written, paths, meant) => {
    const pathsOf = () => pathsByNamespace(paths.map((path) => `disk:api:${path}`))
    expect(nearestAction(`disk:api:${written}`, { ...known, pathsOf })).toBe(meant && `disk:api:${meant}`)
  })

  test('a verb is no typo of another, though a letter apart', () => {
    const set = { ...known, pathsOf: () => pathsByNamespace(['disk:api:quota/set', 'disk:api:quota/resets']) }
    expect(nearestAction('disk:api:quota/get', set)).toBeUndefined()
    expect(nearestAction('disk:api:quota/sett', set)).toBe('disk:api:quota/set')
  })
})

describe('the product and the type that were probably meant', () => {
  test.each<[written: string, product: string | undefined]>([
    ['dsk', 'disk'],
    ['DNS_zone', 'dnsZone'],
    ['dnszone', 'dnsZone'],
    ['rack', 'housing'],
    ['mailbox', undefined], // both mail products serve it
    ['mailTwoo', 'mailTwo'],
    ['diskImage', 'disk'],
    ['database', undefined],
    ['', undefined],
  ])('product %s: %s', (written, product) => {
    expect(nearestProduct(written, known)).toBe(product)
  })

  test.each<[written: string, type: string | undefined]>([
    ['DISKIMAGE', 'diskImage'],
    ['disk-image', 'diskImage'],
    ['housing', 'rack'],
    ['disk', 'diskImage'],
    ['mailOne', 'mailbox'],
    ['mailbx', 'mailbox'],
    ['database', undefined],
  ])('type %s: %s', (written, type) => {
    expect(nearestType(written, known)).toBe(type)
  })
})

describe('an unknown action that is certainly a typo', () => {
  test.each<[written: string, meant: string]>([
    ['disk:api:atach', 'disk:api:attach'],
    ['dsik:api:attach', 'disk:api:attach'],
    ['disk:apii:attach', 'disk:api:attach'],
    ['disk:api:atach?x', 'disk:api:attach'],
    ['disk:api:imag/tgas/edt', 'disk:api:image/tags/edit'],
    ['disk:api:image/tags/update', 'disk:api:image/tags/edit'],
    ['disk:api:image/tags/UPDATE', 'disk:api:image/tags/edit'],
    ['disk:api:image', 'disk:api:image/get'],
    ['disk:api:backupPlan/get', 'disk:api:backup_plan/get'],
    ['disk:api:a/b.c/get', 'disk:api:ab/c/get'],
    ['dsik:*', 'disk:*'],
  ])('%s for %s', (written, meant) => {
    expect(isSlipForAction(written, meant)).toBe(true)
  })

  test.each<[written: string, meant: string]>([
    ['disk:api:unattach', 'disk:api:attach'],
    ['vps:api:attach', 'disk:api:attach'],
    ['disk:compute:attach', 'disk:api:attach'],
    ['disk:api:quota/get', 'disk:api:me/quota/get'],
    ['disk:api:image', 'disk:api:image/create'],
    ['disk:api:image/destroy', 'disk:api:image/create'],
    ['disk:api:attach/create', 'disk:api:attach'],
    ['disk:attach', 'disk:api:attach'],
    ['disk:api:attach', 'disk:*'],
    ['disk:*', 'disk:api:*'],
    ['disk:api:', 'disk:api:get'],
  ])('%s is none for %s', (written, meant) => {
    expect(isSlipForAction(written, meant)).toBe(false)
  })
})
