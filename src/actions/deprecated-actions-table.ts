// Generated from data/deprecated-operations.yaml by `npm run generate`: do not edit.
// An action without its namespace, since when, until when, the actions to allow instead; `-` for none.
export const deprecatedActionsTable = `account:dedicatedAnthos/capabilities/get 2023-01-26 2023-02-28 -
account:loadbalancer/availableZones/get 2018-05-10 2018-06-11 -
account:order/license/cloudLinux/new/create 2023-01-16 2023-02-16 -
account:order/license/cloudLinux/new/get 2023-01-16 2023-02-16 -
analytics:platforms/deploy 2021-12-01 2022-03-01 -
dedicatedAnthos:tenants/actions/upgrade 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/availableVersions/get 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/baremetals/actions/reinstall 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/baremetals/actions/restart 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/baremetals/edit 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/baremetals/get 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/edit 2023-01-26 2023-02-28 -
dedicatedAnthos:tenants/get 2023-01-26 2023-02-28 -
dedicatedServer:install/templateCapabilities/get 2024-05-02 2024-07-03 -
dedicatedServer:log/get - - -
dedicatedServer:mrtg/get 2017-10-23 2018-04-23 dedicatedServer:networkInterfaceController/get
dedicatedServer:virtualNetworkInterface/edit 2021-01-08 2021-04-08 dedicatedServer:ola/aggregation/create
ip:mitigation/edit - - -
ip:terminate 2016-07-21 2017-01-21 ip:service/terminate
loadbalancer:instancesState/get 2018-09-17 2018-10-17 -
pccVMware:datacenter/backup/enable 2019-06-01 2019-07-01 -
pccVMware:datacenter/backupRepository/get 2022-10-01 2023-07-01 pccVMware:backupRepository/get
pccVMware:datacenter/disasterRecovery/zerto/enable 2019-06-01 2019-07-01 -
pccVMware:federation/activeDirectory/grantActiveDirectoryUser - - -
pccVMware:filer/hourlyConsumption/get - - -
pccVMware:put 2019-01-10 2019-03-10 pccVMware:changeProperties
sharepoint:get - - -
vps:activeOptions/get 2013-10-23 2013-11-23 vps:option/get
vps:migration2016/create 2022-04-01 2022-05-01 vps:migration2018/create
vps:migration2016/get 2022-04-01 2022-05-01 vps:migration2018/get
vps:option/delete 2023-12-22 2024-06-01 -
vps:statistics/get 2023-11-07 2024-01-07 -
vps:use/get 2023-07-31 2023-10-01 vps:monitoring/get
vrack:allowedServices/get - - -
vrack:dedicatedServer/mrtg/get 2017-10-23 2018-04-23 dedicatedServer:networkInterfaceController/get
webHosting:cdn/domain/statistics/get 2023-11-03 2024-01-01 -
`
