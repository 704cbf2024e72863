/**
 * The calls of the API that the resources of the Terraform provider make, read in its source. A line for each type, without the prefix of
 * the provider, and with `data.` before that of a data source: type, path of the object, and the calls to create, read, update and delete it; `-` where there are none. A path holds
 * attributes of the resource in braces, and `{}` for what no attribute holds.
 *
 * A call is `[when?]method[path]`: the methods are those of operations-table.ts; a path begins with `^` for each word that is left out of
 * the path of the object, or with `=` where it is a whole path. `name?` before it: only if that attribute changes, or is set by a create;
 * `?` by itself: only in some cases. `+` after the calls: there are others, which are not known.
 *
 * `with` names the resources that calls are about and that their paths do not name: type and attribute.
 */
export const providerTable = `2026-11
cloud_project_alerting cloud/project/{service_name}/alerting/{id} P^ G U,G D
cloud_project_containerregistry cloud/project/{service_name}/containerRegistry/{id} P^,G,G/plan G,G/plan U,plan_id?U/plan,G,G/plan D,G
cloud_project_containerregistry_oidc cloud/project/{service_name}/containerRegistry/{registry_id}/openIdConnect P,G G P D
cloud_project_containerregistry_user cloud/project/{service_name}/containerRegistry/{registry_id}/users/{id} P^,G^ G^ - D
cloud_project_database cloud/project/{service_name}/database/{engine}/{id} P^,G,?U,?U/advancedConfiguration,G/node,G/node/{},?G/advancedConfiguration G,G/node,G/node/{},?G/advancedConfiguration U,G,advanced_configuration?U/advancedConfiguration,G/node,G/node/{},?G/advancedConfiguration D,G
cloud_project_database_database cloud/project/{service_name}/database/{engine}/{cluster_id}/database/{id} P^,G G - D,G
cloud_project_database_integration cloud/project/{service_name}/database/{engine}/{cluster_id}/integration/{id} P^,G G - D,G
cloud_project_database_ip_restriction cloud/project/{service_name}/database/{engine}/{cluster_id}/ipRestriction/{ip} P^,G G U,G D,G
cloud_project_database_kafka_acl cloud/project/{service_name}/database/kafka/{cluster_id}/acl/{id} P^,G G - D,G
cloud_project_database_kafka_topic cloud/project/{service_name}/database/kafka/{cluster_id}/topic/{id} P^,G G + D,G
cloud_project_database_mongodb_user cloud/project/{service_name}/database/mongodb/{cluster_id}/user/{id} P^,G^^,G G U,G^^,G+ D,G^^
cloud_project_database_postgresql_user cloud/project/{service_name}/database/postgresql/{cluster_id}/user/{id} P^,G^^,G G U,G^^,G+ D,G^^
cloud_project_database_user cloud/project/{service_name}/database/{engine}/{cluster_id}/user/{id} P^,G^^,G G + D,G^^
cloud_project_gateway cloud/project/{service_name}/region/{region}/gateway/{id} P^^/network/{network_id}/subnet/{subnet_id}/gateway,G^^^^/operation/{},G G U,G D,G^^^^/operation/{}
cloud_project_instance cloud/project/{service_name}/region/{region}/instance/{id} P^,G^^^^/operation/{},G G - D^^^^/instance/{id}
cloud_project_kube cloud/project/{service_name}/kube/{id} P^,G,P/kubeconfig G,?P/kubeconfig G,update_policy?U/updatePolicy,name?U,private_network_id?P/reset,private_network_configuration?U/privateNetworkConfiguration+ D,G
cloud_project_kube_iprestrictions cloud/project/{service_name}/kube/{kube_id}/ipRestrictions U,G^,G G U,G^,G U,G^
cloud_project_kube_nodepool cloud/project/{service_name}/kube/{kube_id}/nodepool/{id} P^,G G U,G D,G
cloud_project_kube_oidc cloud/project/{service_name}/kube/{kube_id}/openIdConnect P,G^,G G U,G^ D,G^
cloud_project_network_private cloud/project/{service_name}/network/private/{id} P^,G G P/region,G,?D^^^/region/{}/network/{} D,G
cloud_project_network_private_subnet cloud/project/{service_name}/network/private/{network_id}/subnet/{id} P^,G^ G^ - D
cloud_project_ssh_key cloud/project/{service_name}/sshkey/{id} P^ G - D
cloud_project_storage cloud/project/{service_name}/region/{region_name}/storage/{name} P^ G U,G G/object,?P/bulkDeleteObjects,D
cloud_project_user cloud/project/{service_name}/user/{id} G^^/role,P^,G,G/openrc G,G/openrc rotate_when_changed?P/regeneratePassword,role_name?G^^/role,role_name?U/role,role_names?G^^/role,role_names?U/role,G,G/openrc D,G
cloud_project_user_s3_credential cloud/project/{service_name}/user/{user_id}/s3Credentials/{id} P^,G G - D
cloud_project_user_s3_policy cloud/project/{service_name}/user/{user_id}/policy P,G G P,G P
cloud_project_volume cloud/project/{service_name}/region/{region_name}/volume/{volume_id} P^,G^^^^/operation/{},G G P^,G D^^^^/volume/{volume_id}
data.cloud_project_kube cloud/project/{service_name}/kube/{kube_id} - G,?P/kubeconfig - -
data.dedicated_servers dedicated/server - G - -
data.domain_zone domain/zone/{name} - G - -
data.iam_policy v2/iam/policy/{id} - G - -
data.me me - G - -
data.me_identity_user me/identity/user/{user} - G - -
data.vracks vrack - G - -
dbaas_logs_output_graylog_stream dbaas/logs/{service_name}/output/graylog/stream/{id} P^,G^^^^/operation/{},G G U,G^^^^/operation/{},G D,G^^^^/operation/{}
dbaas_logs_output_opensearch_alias dbaas/logs/{service_name}/output/opensearch/alias/{id} P^,G^^^^/operation/{},indexes?P/index,streams?P/stream,G,G/index,G/stream G,G/index,G/stream description?U,?G^^^^/operation/{},?P/index,?D/index/{},?P/stream,?D/stream/{},G,G/index,G/stream ?D/index/{},?D/stream/{},D,G^^^^/operation/{}
dbaas_logs_output_opensearch_index dbaas/logs/{service_name}/output/opensearch/index/{id} P^,G^^^^/operation/{},G G U,G^^^^/operation/{},G D,G^^^^/operation/{}
dedicated_ceph_acl dedicated/ceph/{service_name}/acl/{id} P^,G^^/task/{},G^,G G - D,G^^/task/{}
dedicated_nasha_partition_access dedicated/nasha/{service_name}/partition/{partition_name}/access/{ip} P^+ G - D+
dedicated_server_networking dedicated/server/{service_name}/networking G,P G - G,D
dedicated_server_reboot_task dedicated/server/{service_name}/reboot P,G^/task/{} - - -
domain_zone_dnssec domain/zone/{zone_name}/dnssec P G - D
domain_zone_dynhost_login domain/zone/{zone_name}/dynHost/login/{login} P^ G U,G D
domain_zone_record domain/zone/{zone}/record/{id} P^,?G^,P^^/refresh,G G U,P^^/refresh,G D,P^^/refresh
domain_zone_redirection domain/zone/{zone}/redirection/{id} P^,P^^/refresh,G G U,P^^/refresh,G D,P^^/refresh
hosting_privatedatabase_database hosting/privateDatabase/{service_name}/database/{database_name} P^,G^^/tasks/{},G G - D,G^^/tasks/{}
hosting_privatedatabase_user hosting/privateDatabase/{service_name}/user/{user_name} P^,G^^/tasks/{},G G - D,G^^/tasks/{}
hosting_privatedatabase_user_grant hosting/privateDatabase/{service_name}/user/{user_name}/grant/{database_name} P^,G^^^^/tasks/{},G G - D,G^^^^/tasks/{}
hosting_privatedatabase_whitelist hosting/privateDatabase/{service_name}/whitelist/{ip} P^,G^^/tasks/{},G G U,G D,G^^/tasks/{}
iam_permissions_group v2/iam/permissionsGroup/{id} P^ G U D
iam_policy v2/iam/policy/{id} P^ G U D
iam_resource_group v2/iam/resourceGroup/{id} P^,G G U,G D
iam_resource_tags v2/iam/resource/{resource_urn} U,G G U,G U
ip_firewall ip/{ip}/firewall/{ip_on_firewall} P^ G U,G D
ip_firewall_rule ip/{ip}/firewall/{ip_on_firewall}/rule/{sequence} P^,G G - D,G
ip_mitigation ip/{ip}/mitigation/{ip_on_mitigation} P^,G G U,G D,G
ip_reverse ip/{ip}/reverse/{ip_reverse} P^,G G - D
iploadbalancing_http_farm ipLoadbalancing/{service_name}/http/farm/{id} P^,G G U,G D
iploadbalancing_http_farm_server ipLoadbalancing/{service_name}/http/farm/{farm_id}/server/{id} P^,G G U,G D
iploadbalancing_http_frontend ipLoadbalancing/{service_name}/http/frontend/{id} P^,G G U,G D
iploadbalancing_http_route ipLoadbalancing/{service_name}/http/route/{id} P^,G G U,G D
iploadbalancing_http_route_rule ipLoadbalancing/{service_name}/http/route/{route_id}/rule/{id} P^,G G U,G D
iploadbalancing_refresh ipLoadbalancing/{service_name} G/task,G/pendingChanges,?P/refresh,?G/task/{} - - -
iploadbalancing_tcp_farm ipLoadbalancing/{service_name}/tcp/farm/{id} P^,G G U,G D
iploadbalancing_tcp_farm_server ipLoadbalancing/{service_name}/tcp/farm/{farm_id}/server/{id} P^,G G U,G D
iploadbalancing_tcp_frontend ipLoadbalancing/{service_name}/tcp/frontend/{id} P^,G G U,G D
iploadbalancing_tcp_route ipLoadbalancing/{service_name}/tcp/route/{id} P^,G G U,G D
iploadbalancing_tcp_route_rule ipLoadbalancing/{service_name}/tcp/route/{route_id}/rule/{id} P^,G G U,G D
iploadbalancing_udp_frontend ipLoadbalancing/{service_name}/udp/frontend/{frontend_id} P^ G U,G D
me_api_oauth2_client me/api/oauth2/client/{client_id} P^,G G U,G D
me_identity_group me/identity/group/{name} P^,G G U,G D
me_identity_group_membership me/identity/group/{group}/user P,G G - D/{login}
me_identity_user me/identity/user/{login} P^,groups?P=me/identity/group/{}/user,G G U,groups?P=me/identity/group/{}/user,groups?D=me/identity/group/{}/user/{login},G D
me_identity_user_token me/identity/user/{user_login}/token/{name} P^ G U D
okms_credential v2/okms/resource/{okms_id}/credential/{id} P^,G G - D
okms_secret v2/okms/resource/{okms_id}/secret/{path} P^,?G/version/{} G U,G,?G/version/{} D
okms_service_key v2/okms/resource/{okms_id}/serviceKey/{id} P^ G U,G U,D
okms_service_key_jwk v2/okms/resource/{okms_id}/serviceKey/{id} P^,G G U,G U,D
vps vps/{service_name} P=order/cart/{}/assign,P=order/cart/{}/checkout,?P=me/order/{}/pay,G=me/payment/method,G=me/order/{}/details,U,G+ G U,G G=me/notification/email/history,P/terminate,?P/confirmTermination+
vrack_cloudproject vrack/{service_name}/cloudProject/{project_id} P^,G^^/task/{},G G - D,G^^/task/{} with publicCloudProject={project_id}
vrack_dedicated_server vrack/{service_name}/dedicatedServer/{server_id} P^,G^^/task/{},G G - D,G^^/task/{} with dedicatedServer={server_id}
vrack_dedicated_server_interface vrack/{service_name}/dedicatedServerInterface/{interface_id} P^,G^^/task/{},G G - D,G^^/task/{}
vrack_ip vrack/{service_name}/ip/{block} P^,G^^/task/{},G G - D,G^^/task/{} with ip={block}
vrack_iploadbalancing vrack/{service_name}/ipLoadbalancing/{ip_loadbalancing} P^,G^^/task/{},G G - D,G^^/task/{} with loadbalancer={ip_loadbalancing}
vrack_ipv6 vrack/{service_name}/ipv6/{block} P^,G^^/task/{},G G - D,G^^/task/{} with ip={block}
`
