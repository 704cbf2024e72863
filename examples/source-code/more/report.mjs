import { client } from './client.mjs'

const section = process.argv[2]

console.log(await client.get('/me/bill'))
console.log(await client.get(`/me${section}`))
console.log(await client.get('/me/bil/latest'))
