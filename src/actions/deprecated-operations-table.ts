// Generated from data/deprecated-operations.yaml by `npm run generate`: do not edit.
// Method, path, since when, until when, the path to call instead; `-` for none.
export const deprecatedOperationsTable = `DELETE /vps/{serviceName}/option/{option} 2023-12-22 2024-06-01 -
GET /analytics/capabilities/platforms 2021-12-01 2022-03-01 -
GET /dedicated/anthos/capabilities 2023-01-26 2023-02-28 -
GET /dedicated/anthos/tenants 2023-01-26 2023-02-28 -
GET /dedicated/anthos/tenants/{serviceName} 2023-01-26 2023-02-28 -
GET /dedicated/anthos/tenants/{serviceName}/availableVersions 2023-01-26 2023-02-28 -
GET /dedicated/anthos/tenants/{serviceName}/baremetals 2023-01-26 2023-02-28 -
GET /dedicated/anthos/tenants/{serviceName}/baremetals/{baremetalId} 2023-01-26 2023-02-28 -
GET /dedicated/server/log - - -
GET /dedicated/server/{serviceName}/install/templateCapabilities 2024-05-02 2024-07-03 -
GET /dedicated/server/{serviceName}/mrtg 2017-10-23 2018-04-23 /dedicated/server/{serviceName}/networkInterfaceController
GET /dedicatedCloud/{serviceName}/datacenter/{datacenterId}/backupRepository 2022-10-01 2023-07-01 /dedicatedCloud/{serviceName}/backupRepository
GET /dedicatedCloud/{serviceName}/datacenter/{datacenterId}/backupRepository/{repositoryId} 2022-10-01 2023-07-01 /dedicatedCloud/{serviceName}/backupRepository/{repositoryId}
GET /dedicatedCloud/{serviceName}/filer/{filerId}/hourlyConsumption - - -
GET /domain/data/extension 2021-02-01 2021-08-31 /domain/extensions
GET /hosting/web/{serviceName}/cdn/domain/{domainName}/statistics 2023-11-03 2024-01-01 -
GET /ipLoadbalancing/availableZones 2018-05-10 2018-06-11 -
GET /ipLoadbalancing/{serviceName}/instancesState 2018-09-17 2018-10-17 -
GET /msServices/sharepoint - - -
GET /msServices/sharepoint/{domain} - - -
GET /order/license/cloudLinux/new 2023-01-16 2023-02-16 -
GET /order/license/cloudLinux/new/{duration} 2023-01-16 2023-02-16 -
GET /order/license/directadmin/new 2023-01-16 2023-02-16 -
GET /vps/{serviceName}/activeOptions 2013-10-23 2013-11-23 /vps/{serviceName}/option
GET /vps/{serviceName}/migration2016 2022-04-01 2022-05-01 /vps/{serviceName}/migration2018
GET /vps/{serviceName}/statistics 2023-11-07 2024-01-07 -
GET /vps/{serviceName}/use 2023-07-31 2023-10-01 /vps/{serviceName}/monitoring
GET /vrack/{serviceName}/allowedServices - - -
GET /vrack/{serviceName}/dedicatedServer/{dedicatedServer}/mrtg 2017-10-23 2018-04-23 /dedicated/server/{serviceName}/networkInterfaceController
POST /analytics/platforms/{serviceName}/deploy 2021-12-01 2022-03-01 -
POST /dedicated/anthos/tenants/{serviceName}/actions/upgrade 2023-01-26 2023-02-28 -
POST /dedicated/anthos/tenants/{serviceName}/baremetals/{baremetalId}/actions/reinstall 2023-01-26 2023-02-28 -
POST /dedicated/anthos/tenants/{serviceName}/baremetals/{baremetalId}/actions/restart 2023-01-26 2023-02-28 -
POST /dedicatedCloud/{serviceName}/datacenter/{datacenterId}/backup/enable 2019-06-01 2019-07-01 /order/cart/{cartId}/privateCloud
POST /dedicatedCloud/{serviceName}/datacenter/{datacenterId}/disasterRecovery/zerto/enable 2019-06-01 2019-07-01 /order/cart/{cartId}/privateCloud
POST /dedicatedCloud/{serviceName}/federation/activeDirectory/{activeDirectoryId}/grantActiveDirectoryUser - - -
POST /ip/{ip}/terminate 2016-07-21 2017-01-21 /ip/service/{serviceName}/terminate
POST /order/license/cloudLinux/new/{duration} 2023-01-16 2023-02-16 -
POST /vps/{serviceName}/migration2016 2022-04-01 2022-05-01 /vps/{serviceName}/migration2018
PUT /dedicated/anthos/tenants/{serviceName} 2023-01-26 2023-02-28 -
PUT /dedicated/anthos/tenants/{serviceName}/baremetals/{baremetalId} 2023-01-26 2023-02-28 -
PUT /dedicated/server/{serviceName}/virtualNetworkInterface/{uuid} 2021-01-08 2021-04-08 /dedicated/server/{serviceName}/ola/aggregation
PUT /dedicatedCloud/{serviceName} 2019-01-10 2019-03-10 /dedicatedCloud/{serviceName}/changeProperties
PUT /ip/{ip}/mitigation/{ipOnMitigation} - - -
`
