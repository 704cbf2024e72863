// Generated from data/sensitive-actions.yaml by `npm run generate`: do not edit.
export const sensitiveTable = {
  escalation: `account:iam/policy/create a policy can grant its author anything
account:iam/policy/edit any existing policy can be made to grant anything
account:iam/policy/delete a policy that denies can be removed
account:iam/permissionsGroup/create a set of rights can be written and then named in policies
account:iam/permissionsGroup/edit every policy that names the permissions group grants what is put into it
account:iam/permissionsGroup/delete a permissions group that denies can be removed
account:iam/resourceGroup/create policies over resource groups can be given new resources
account:iam/resourceGroup/edit a resource can be moved into the reach of a policy, or out of the reach of a deny
account:iam/resourceGroup/delete a deny over a resource group loses the resources it is about
account:me/identity/user/create a user can be created in a group that holds more
account:me/identity/user/edit a user can be put into a group that holds more
account:me/identity/user/enable a user that was disabled can be brought back
account:me/identity/group/create a group can be created with a role over the account
account:me/identity/group/edit the role of a group, which its members inherit, can be raised
account:me/identity/group/user/add a user can be put into a group that holds more
account:me/identity/group/user/remove a user can be taken out of a group that a deny names
account:me/identity/group/delete a group that a deny names can be removed
account:me/identity/provider/create whoever runs the identity provider can sign in as any user and group
account:me/identity/provider/edit the mapping of outside groups to groups of the account can be changed
account:me/identity/provider/delete sign-in falls back to local users
account:me/subAccount/create an account of its own can be opened under this one
account:me/subAccount/edit an account under this one can be taken over
pccVMware:user/create an administrator of the private cloud can be created
pccVMware:user/right/edit the rights of any user of the private cloud can be raised
pccVMware:user/objectRight/create rights over any object of the private cloud can be given
pccVMware:user/changeProperties a user of the private cloud can be made an administrator
pccVMware:user/enable a user of the private cloud that was disabled can be brought back
pccVMware:iam/addRole a role over the private cloud can be given
pccVMware:federation/activeDirectory/* an outside directory can be trusted with sign-in to the private cloud
horizonView:domainTrust/createTrust an outside domain can be trusted with sign-in
horizonView:domainTrust/create an outside domain can be trusted with sign-in
horizonView:domainTrust/addDomainController sign-in can be answered by a server of one's own
horizonView:domainTrust/addDomainUserOnComposer an outside user can be put in charge of the desktops
horizonView:dedicatedHorizon/customerUser/create a user of the desktops can be created
publicCloudProject:user/create a user of the project can be created with any role
publicCloudProject:user/role/create a role over the project can be given to a user
publicCloudProject:user/role/edit the roles of a user of the project can be raised
publicCloudProject:user/policy/create a user of the project can be given any right over its objects
publicCloudProject:region/storage/policy/create a user can be given any right over a storage container
publicCloudProject:region/coldArchive/policy/create a user can be given any right over an archive
publicCloudProject:acl/create another account can be let into the project
publicCloudProject:containerRegistry/users/setAsAdmin a user can be made an administrator of the registry
publicCloudProject:containerRegistry/users/create a user of the registry can be created
publicCloudProject:containerRegistry/openIdConnect/* sign-in to the registry can be handed to another provider
publicCloudProject:containerRegistry/iam/* sign-in to the registry can be handed to the policies of the account, or taken from them
publicCloudProject:kube/openIdConnect/* sign-in to the cluster can be handed to another provider
publicCloudProject:ai/authorization/create the service is let into the project's objects
publicCloudProject:dataProcessing/authorization/create the service is let into the project's objects
publicCloudProject:database/*/user/create a database user with any role can be created
publicCloudProject:database/*/user/edit the role of a database user can be raised
clusterHadoop:user/create a user of the cluster can be created
clusterHadoop:user/edit the rights of a user of the cluster can be raised
dedicatedCeph:user/create a user of the storage cluster can be created
dedicatedCeph:user/pool/create a user can be let into any pool
dedicatedCeph:user/pool/edit a user's rights over a pool can be raised
caasRegistry:users/create a user of the registry can be created
caasRegistry:namespaces/permissions/create a user can be let into any namespace of the registry
caasRegistry:namespaces/images/permissions/create a user can be let into any image of the registry
microsoftServices:sharepoint/restoreAdminRights administrator rights over the site can be taken
ldp:role/member/create a member can be added to any role over the logs
ldp:role/permission/*/create a role can be given any part of the logs
webCloudDatabases:user/grant/create a database user can be given any right
webCloudDatabases:user/grant/update the rights of a database user can be raised
webCloudDatabases:user/create a database user can be created
publicCloudProject:openstack:administrator machines, disks and networks of the project can be made and deleted`,
  credentials: `account:me/api/oauth2/client/create a service account with a secret of its own can be made
account:me/api/oauth2/client/edit where a service account's sign-in leads can be changed
account:me/api/credential/edit which addresses may use a credential can be widened
account:me/identity/user/token/create a token that acts as any user can be made
account:me/identity/user/token/edit a token can be made to last longer
account:me/subAccount/createConsumerKey a key that acts as another account can be made
account:me/sshKey/create servers installed from now on can be entered with one's own key
account:me/changeEmail the address that resets the account's password can be changed
account:me/task/emailChange/accept a change of the address that resets the password can be confirmed
account:voip/resellerPanel/generatePassword the password of the reseller panel is given out
analytics:platforms/deploy the first credentials of a platform are given out
caasContainers:frameworks/password/edit the password of a framework can be set
caasContainers:registry/credentials/* credentials of a registry can be read and set
caasRegistry:users/changePassword a registry user's password is given out
clusterHadoop:user/resetPassword the password of a user of the cluster can be reset
dedicatedAnthos:tenants/credentials/reset administrator credentials are given out
dedicatedServer:authenticationSecret/create the password of a freshly installed server is given out
dedicatedServer:features/ipmi/access/create a console on the machine itself is opened
dedicatedServer:features/backupFTP/password/create the password of the backup space can be reset
dedicatedServer:features/backupCloud/password/create the password of the backup space can be reset
dedicatedHousing:features/backupFTP/password/create the password of the backup space can be reset
deskaas:console/create a console of somebody's desktop is opened
deskaas:user/changePassword the password of somebody's desktop can be set
dnsZone:dynHost/login/create a login that changes where names point can be made
dnsZone:dynHost/login/changePassword a login that changes where names point can be taken over
domain:authInfo/get the code with which a domain is moved away is given out
emailDomain:account/changePassword any mailbox can be entered
emailDomain:delegatedAccount/changePassword any mailbox can be entered
emailExchange:service/account/changePassword any mailbox can be entered
emailExchange:service/impersonatedUser/* a user that reads every mailbox can be made and entered
emailExchange:service/sendConnector/changeAuthentication the login that outgoing mail is sent with can be changed
emailMxplan:account/changePassword any mailbox can be entered
emailPro:account/changePassword any mailbox can be entered
freefax:changePassword the fax service can be entered
freefax:voicemail/changePassword the voicemail can be listened to
horizonView:dedicatedHorizon/customerUser/changePassword somebody's desktop can be entered
horizonView:dedicatedHorizon/user/changePassword the administrator's password can be set
ip:migrationToken/create a code that moves the address to another account is given out
ip:migrationToken/get a code that moves the address to another account is given out
ldp:token/create a token that reads the logs can be made
ldp:token/get a token that reads the logs is given out
ldp:user/changePassword the user that reads the logs can be taken over
licenseOffice:user/changePassword any mailbox and document of the user can be entered
licenseOfficePrepaid:changePassword any mailbox and document of the user can be entered
metrics:token/create a token that reads and writes the metrics can be made
metrics:token/get a token that reads and writes the metrics is given out
*:metricsToken/get a token that reads the metrics is given out
microsoftServices:account/changePassword any account of the directory can be entered
microsoftServices:sync/changePassword the account that writes the directory can be taken over
packXdsl:hostedEmail/services/changePassword any mailbox can be entered
pccVMware:user/changePassword any user of the private cloud can be taken over
pccVMware:user/confirmPhoneNumber second factors of a user can be led elsewhere
pccVMware:datacenter/disasterRecovery/zertoSingle/requestPairingToken a token that pairs a site of one's own is given out
publicCloudProject:ai/token/create a token for the service can be made
publicCloudProject:ai/token/renew a token for the service is renewed and given out
publicCloudProject:ai/data/region/alias/auth/get credentials of a data store are given out
publicCloudProject:database/*/user/credentials/reset the password of a database user is given out
publicCloudProject:database/*/prometheus/credentials/reset the password of the metrics of a database is given out
backupServices:vault/credentials/get keys for the objects of backups are given out
publicCloudProject:instance/vnc/create a console of the machine is opened
publicCloudProject:instance/createConsole a console of the machine is opened
publicCloudProject:instance/applicationAccess/create the first password of an application is given out
publicCloudProject:io/stream/token/create a token for the stream is given out
publicCloudProject:io/stream/token/get a token for the stream is given out
publicCloudProject:kube/kubeconfig/create the administrator's credentials of the cluster are given out
publicCloudProject:kube/kubeconfig/reset the administrator's credentials of the cluster are made anew
publicCloudProject:rancher/adminCredentials/reset the administrator's credentials are given out
publicCloudProject:region/storage/presign a link that reads or writes objects without sign-in is given out
publicCloudProject:region/coldArchive/presign a link that reads or writes the archive without sign-in is given out
publicCloudProject:region/keymanager/secret/get secrets are given out
publicCloudProject:keyManager/secret/payload/get secrets are given out
okms:credential/create a certificate that opens keys and secrets can be made
okms:secret/version/getData secrets are given out
okms:apikms:secret/version/getData secrets are given out
okms:kmip:get keys are given out
publicCloudProject:sshkey/create machines made from now on can be entered with one's own key
publicCloudProject:sshKey/create machines made from now on can be entered with one's own key
publicCloudProject:storage/access/create a token for the objects is given out
publicCloudProject:storage/user/create credentials for the objects are given out
publicCloudProject:user/regeneratePassword the password of a user of the project is given out
publicCloudProject:user/s3Credentials/create keys for the objects are given out
publicCloudProject:user/s3Credentials/secret/display keys for the objects are given out
publicCloudProject:user/token/create a token that acts as a user of the project is given out
publicCloudProject:user/rclone/get a configuration with credentials for the objects is given out
publicCloudProject:user/openrc/get a configuration with the name of a project's user is given out
sms:users/create a login that sends messages can be made
sms:users/edit a login that sends messages can be taken over
sms:smpp/password/create the login that sends messages can be reset
svcCloudConnect:serviceKey/get the key that connects a site of one's own is given out
svcCloudConnect:serviceKey/regenerate the key that connects a site of one's own is made anew
svcCloudConnect:serviceKey/send the key that connects a site is sent to an address
veeamCloudConnect:resetPassword the password of the backup store can be reset
vmwareCloudDirector:organization/resetPassword the administrator's password can be reset
voip:fax/settings/changePassword the fax service can be entered
voip:line/changePassword calls can be made and taken as the line
voip:line/click2CallUser/changePassword calls can be made as the line
voip:line/click2CallUser/create calls can be made as the line
voip:line/phone/adminCredentials/get the administrator's credentials of the phone are given out
voip:line/softphone/token/create calls can be made and taken as the line
voip:line/softphone/beta/regenerateToken calls can be made and taken as the line
voip:voicemail/settings/changePassword the voicemail can be listened to
vps:setPassword the administrator's password can be reset
vps:getConsoleUrl a console of the machine is opened
vps:openConsoleAccess a console of the machine is opened
vps:backupftp/password/set the password of the backup space can be reset
webCloudDatabases:changeFtpPassword the files can be entered
webCloudDatabases:user/changePassword the database can be entered
webHosting:database/changePassword the database can be entered
managedCMS:website/database/resetPassword the database of a website can be entered
webHosting:key/ssh/create the files can be entered with one's own key
webHosting:module/changePassword the administrator's password of the site can be reset
webHosting:user/changePassword the files can be entered
webHosting:user/create a login to the files can be made
webHosting:token/get a token that moves the site elsewhere is given out
webHosting:userLogsToken/get a token that reads the logs is given out
webHosting:ownLogs/userLogs/changePassword the logs can be entered
webHosting:userLogs/changePassword the logs can be entered
xdslEmail:changePassword the mailbox can be entered`,
  audit: `account:me/accessRestriction/*/create where the account may be used from can be changed
account:me/accessRestriction/*/edit where the account may be used from, or sign-in by old means, can be opened
account:me/accessRestriction/*/delete a restriction of where the account may be used from can be removed
account:me/logs/audit/log/subscription/create the audit log can be led to a store of one's own
account:me/logs/audit/log/subscription/delete the audit log no longer reaches who watches it
account:me/logs/audit/forward the audit log can be led elsewhere
account:me/api/log/subscription/create the log of API calls can be led to a store of one's own
account:me/api/log/subscription/delete the log of API calls no longer reaches who watches it
account:me/api/logs/forward the log of API calls can be led elsewhere
account:iam/log/subscription/create the log of access decisions can be led to a store of one's own
account:iam/log/subscription/delete the log of access decisions no longer reaches who watches it
account:me/identity/user/disable a user, and what depends on it, can be locked out
account:me/api/credential/delete what runs with the credential stops
account:me/api/application/delete what runs with the application's credentials stops
horizonView:accessPoint/disableTwoFA/create second factors are switched off
horizonView:accessPoint/enableTwoFA second factors can be led to a server of one's own
microsoftServices:account/mfa/disable second factors of an account are switched off
microsoftServices:account/mfa/delete second factors of an account are taken away
microsoftServices:account/mfa/reset second factors of an account can be set up anew
microsoftServices:removeMfaOnAllUsers second factors of every account are taken away
pccVMware:twoFAWhitelist/* sign-in without a second factor can be opened
pccVMware:securityOptions/* security options can be switched off
pccVMware:vmEncryption/kms/* where the keys of encrypted machines come from can be changed
*:log/subscription/delete logs no longer reach who watches them
emailExchange:service/log/subscription/delete logs no longer reach who watches them
webHosting:cdn/log/subscription/delete logs no longer reach who watches them
pccVMware:logForwarder/disable logs no longer reach who watches them
publicCloudProject:database/*/log/subscription/delete logs no longer reach who watches them
publicCloudProject:region/loadbalancing/loadbalancer/log/subscription/delete logs no longer reach who watches them
publicCloudProject:alerting/delete an alert on spending can be removed
publicCloudProject:alerting/edit an alert on spending can be led elsewhere
ldp:output/graylog/stream/delete a log is deleted
ldp:output/graylog/stream/edit what a log keeps can be changed
ldp:output/graylog/stream/alert/delete an alert on a log can be removed
ldp:output/graylog/stream/alert/edit an alert on a log can be silenced
ldp:output/opensearch/index/delete logs are deleted
ldp:input/delete logs are no longer taken in`,
  exposure: `*:changeContact the service can be handed to another account
vps:changeContact/create the service can be handed to another account
dedicatedAnthos:tenants/changeContact the service can be handed to another account
ip:service/changeContact the address can be handed to another account
voip:lines/changeContact the line can be handed to another account
voip:trunks/changeContact the trunk can be handed to another account
account:me/task/contactChange/accept a service can be taken over from, or handed to, another account
account:services/detach/execute a service can be cut loose from the one it belongs to
account:me/edit the holder of the account can be changed
domain:outgoingTransfer/approve a domain leaves the account
domain:outgoingTransfer/uk/create a domain leaves the account
domain:nameServer/* every name of the domain can be led elsewhere
domain:glueRecord/* the servers that answer for the domain can be changed
domain:dsRecord/create what proves answers for the domain can be changed
dnsZone:record/create names, mail and certificates of the domain can be led elsewhere
dnsZone:record/edit names, mail and certificates of the domain can be led elsewhere
dnsZone:redirection/create a name can be led elsewhere
dnsZone:redirection/edit a name can be led elsewhere
dnsZone:dnssec/delete answers for the domain are no longer proved
dnsZone:import every name of the domain can be led elsewhere
ip:firewall/* ports of the address can be opened
ip:delegation/* names of the address can be led elsewhere
ip:move the address can be moved to another service
*:ip/additionalIp/move an address can be moved to another service
dedicatedServer:ipMove an address can be moved to another service
dedicatedServer:features/firewall/edit the firewall before the server can be switched off
dedicatedServer:features/backupFTP/access/* the backup space can be opened to an address
dedicatedHousing:features/backupFTP/access/* the backup space can be opened to an address
vps:backupftp/access/* the backup space can be opened to an address
dedicatedNas:partition/access/create files can be opened to an address
nasHA:partition/access/create files can be opened to an address
storageNetApp:share/acl/* files can be opened to an address
dedicatedAnthos:tenants/ipRestrictions/* the clusters can be opened to an address
dedicatedCeph:acl/* the storage cluster can be opened to an address
dedicatedCeph:osd/blocklist/delete a client that was shut out can write to the storage again
dedicatedCeph:radosGateway/acl/* the objects can be opened to an address
clusterHadoop:networkAcl/* the cluster can be opened to an address
vmwareCloudDirector:organization/networkAcl/edit the private cloud can be opened to an address
emailExchange:service/account/fullAccess/grant a mailbox can be opened to another user
emailExchange:service/account/sendAs/grant mail can be sent in somebody's name
emailExchange:service/sharedAccount/fullAccess/grant a shared mailbox can be opened to another user
emailExchange:service/publicFolder/permission/* a public folder can be opened to another user
emailExchange:service/authorizedIp/* where the server may be managed from can be changed
emailMxplan:account/fullAccess/grant a mailbox can be opened to another user
emailMxplan:account/sendAs/grant mail can be sent in somebody's name
emailPro:account/fullAccess/grant a mailbox can be opened to another user
emailPro:account/sendAs/grant mail can be sent in somebody's name
emailDomain:redirection/* mail can be led elsewhere
zimbra:platform/redirection/* mail can be led elsewhere
emailDomain:account/delegation/create a mailbox can be opened to another user
emailDomain:acl/create another account can be let into the domain's mail
overTheBox:remoteAccesses/* the device can be entered from outside
pccVMware:allowedNetwork/* the private cloud can be opened to an address
publicCloudProject:containerRegistry/ipRestrictions/* the registry can be opened to an address
publicCloudProject:database/*/ipRestriction/* a database can be opened to an address
publicCloudProject:kube/ipRestrictions/* the cluster can be opened to an address
publicCloudProject:storage/publicUrl/create an object can be read by anybody with the link
publicCloudProject:storage/cors/* other sites may read the objects
publicCloudProject:storage/edit a storage container can be made public
publicCloudProject:region/share/acl/create a share of files can be opened to an address
publicCloudProject:region/instance/associateFloatingIp a machine can be reached from the internet
publicCloudProject:instance/usePublicIP a machine can be reached from the internet
publicCloudProject:publicIp/floating/create a machine can be reached from the internet
publicCloudProject:securityGroup/* ports of machines can be opened
publicCloudProject:region/loadbalancing/loadbalancer/associateFloatingIp a load balancer can be reached from the internet
webCloudDatabases:whitelist/* the database can be opened to an address
loadbalancer:vrack/network/* private networks can be put behind the load balancer
voip:redirect/changeDestination calls can be led elsewhere
voip:line/options/edit calls can be led elsewhere
voip:portability/* a number leaves the account
xdsl:modem/portMappings/* the network behind the modem can be opened`,
  exfiltration: `account:me/document/get documents of the account are given out
account:me/logs/audit/log/url/create the audit log is given out
account:me/api/log/url/create the log of API calls is given out
account:iam/log/url/create the log of access decisions is given out
account:support/tickets/messages/get what was written to the support is given out
*:log/url/create logs are given out
emailExchange:service/log/url/create logs are given out
webHosting:cdn/log/url/create logs are given out
dedicatedServer:log/url logs are given out
dnsZone:export/get every name of the zone is given out
okms:apikms:serviceKey/decrypt what was encrypted with a key can be read
okms:apikms:serviceKey/dataKey/decrypt what was encrypted with a data key can be read
okms:kmip:decrypt what was encrypted with a key can be read
emailExchange:service/account/export/create a whole mailbox is packed to be taken away
emailExchange:service/account/exportURL/create a link to a whole mailbox is given out
emailExchange:service/account/exportURL/get a link to a whole mailbox is given out
emailDomain:account/migrate/* a whole mailbox can be moved elsewhere
ldp:output/graylog/stream/archive/url/generate archived logs are given out
ldp:output/graylog/stream/archive/encryptionKey/get keys of archived logs are given out
ldp:input/logs/url/generate logs are given out
ldp:output/graylog/stream/forwardTo logs can be led elsewhere
*:database/dump/create a whole database is packed to be taken away
*:database/dump/get a link to a whole database is given out
webCloudDatabases:dump/get a link to a whole database is given out
webCloudDatabases:generateTemporaryLogsLink logs are given out
webHosting:dump/get a link to a whole database is given out
webHosting:database/copy/create a whole database is copied
webCloudDatabases:database/copy/create a whole database is copied
webHosting:ownLogs/get logs of visitors are given out
nasHA:partition/snapshot/get what snapshots there are is given out
publicCloudProject:instance/snapshot a whole machine is copied
publicCloudProject:region/instance/snapshot a whole machine is copied
publicCloudProject:volume/snapshot/create a whole volume is copied
publicCloudProject:instance/backup/create a whole machine is copied
publicCloudProject:volume/backup/create a whole volume is copied
publicCloudProject:storage/file/snapshot/create a whole share of files is copied
publicCloudProject:region/share/snapshot/create a whole share of files is copied
publicCloudProject:storage/object/bucket/replication/edit objects are copied to another container
storageNetApp:shareReplication/create files are copied to another service
publicCloudProject:region/storage/job/replication/create objects are copied to another container
publicCloudProject:region/storage/object/copy objects are copied to another container
publicCloudProject:region/volumeBackup/create a whole volume is copied
publicCloudProject:region/volumeBackup/volume/create a volume with old data is made
publicCloudProject:region/volumeBackup/restore old data comes back
publicCloudProject:region/coldArchive/restore an archive is made readable
publicCloudProject:database/mongodb/backup/restore a database with old data is made
publicCloudProject:database/*/logs/get logs of the database are given out
publicCloudProject:database/*/log/url/create logs of the database are given out
publicCloudProject:kube/auditLogs/* the log of the cluster can be led elsewhere
publicCloudProject:ai/job/log/get logs of the job are given out
publicCloudProject:ai/notebook/backup/fork a notebook with its data is copied
vps:snapshot/create a whole machine is copied
vps:snapshot/download/get a link to a whole machine is given out
vps:automatedBackup/restore old data comes back, to be read
vps:veeam/restorePoints/restore old data comes back, to be read
pccVMware:datacenter/vm/restoreBackup old data comes back, to be read
pccVMware:datacenter/backup/batchRestore old data comes back, to be read
sms:users/incoming/get messages that were received are given out
sms:incoming/get messages that were received are given out
sms:outgoing/get messages that were sent are given out
sms:users/outgoing/get messages that were sent are given out
voip:voicemail/directories/download/get voice messages are given out
voip:voicemail/directories/transcript/get voice messages are given out, as text
voip:line/records/get recorded calls are given out
voip:easyHunting/records/get recorded calls are given out
voip:svcPabx/records/get recorded calls are given out
voip:*/eavesdrop calls can be listened to
voip:*/intercept calls can be taken over
voip:*/whisper calls can be spoken into
xdsl:radiusConnectionLogs/get when a line was connected is given out`,
  tagging: `account:iam/resource/tag/add a resource can be brought into the reach of any policy that looks at tags
account:iam/resource/tag/remove a resource can be taken out of the reach of a deny that looks at tags
account:iam/resource/edit the tags that policies look at can be changed
account:me/tag/create tags can be made
account:me/tag/delete tags that policies look at can be removed`,
  spend: `account:me/order/pay orders can be paid
account:me/order/payWithRegisteredPaymentMean orders can be paid at the account's cost
account:me/order/waiveRetraction the right to step back from an order is given up
account:me/order/retraction/create an order is taken back, and what it brought with it
account:me/bill/debt/pay debts can be paid
account:me/correctiveInvoice/debt/pay debts can be paid
account:me/downPaymentInvoice/debt/pay debts can be paid
account:me/debtAccount/*pay debts can be paid
account:me/deposit/paidBills/debt/pay debts can be paid
account:me/autorenew/* what is renewed, and at whose cost, can be changed
account:me/payment/method/create a means of payment can be added
account:me/payment/method/edit the means of payment used by default can be changed
account:me/payment/method/delete the means of payment can be removed, and services lapse
account:me/paymentMean/*/chooseAsDefaultPaymentMean the means of payment used by default can be changed
account:me/paymentMean/*/create a means of payment can be added
account:me/paymentMean/*/delete the means of payment can be removed, and services lapse
account:me/svcAccount/retrieveMoney money on the account can be taken out
account:me/svcAccount/movements/requestRefund money on the account can be taken out
account:me/svcAccount/creditOrder/create money can be put on the account
account:me/fidelityAccount/creditOrder points can be turned into orders
account:me/credit/code/validate credit codes can be used up
account:me/billing/purchaseOrder/* what is printed on bills can be changed
account:order/cart/checkout/create anything in the catalogue can be ordered
account:order/*/new/create a new service can be ordered
account:order/cart/assign a basket can be made the account's own
order:*create a change of a service can be ordered
account:service/renew/create a service can be renewed at the account's cost
account:service/edit whether a service is renewed can be changed
account:services/edit whether a service is renewed can be changed
account:service/terminate a service and its data are given up
account:services/terminate a service and its data are given up
account:services/terminate/confirm a service and its data are given up, for good
account:services/terminate/skipRetentionPeriod what a service held is deleted at once, for good
account:services/terminateWithoutConfirmation a service and its data are given up, for good
account:service/suspend a service is switched off
account:services/upgrade/execute a service can be moved to a dearer offer
account:services/billing/engagement/* what the account is bound to pay can be changed
account:savingsPlans/* what the account is bound to pay can be changed
billingAccount:subscription/publicCloudProject/create a cloud project can be opened
clusterHadoop:orderNewNodeHourly machines can be ordered
cspReseller:subscription/* subscriptions can be ordered and changed
pccVMware:*orderNewFilerHourly storage can be ordered
pccVMware:datacenter/orderNewHostHourly hosts can be ordered
publicCloudProject:activateMonthlyBilling machines can be put on a monthly bill
publicCloudProject:instance/activeMonthlyBilling machines can be put on a monthly bill
publicCloudProject:instance/create machines can be started, at cost
publicCloudProject:region/instance/create machines can be started, at cost
publicCloudProject:instance/bulk/create any number of machines can be started, at cost
publicCloudProject:credit/create credit can be bought
publicCloudProject:savingsPlans/* what the account is bound to pay can be changed
sms:jobs/create messages can be sent, at cost
sms:users/jobs/create messages can be sent, at cost
sms:transferCredits credit can be moved to another service
sms:batches/create messages can be sent, at cost
voip:transferSecurityDeposit a deposit can be moved to another group of lines
voip:fax/campaigns/create faxes can be sent, at cost`,
  destruction: `*:terminate the service and its data are given up
*:confirmTermination the service and its data are given up, for good
*:*/terminate a part of the service and its data are given up
*:*/confirmTermination the service and its data are given up, for good
analytics:platforms/destroy the platform and its data are destroyed
publicCloudProject:region/coldArchive/destroy the archive is destroyed
*:reinstall the machine is emptied
nutanix:node/edit a machine of the cluster is emptied
dedicatedAnthos:tenants/baremetals/actions/reinstall the machine is emptied
publicCloudProject:instance/reinstall the machine is emptied
publicCloudProject:region/instance/reinstall the machine is emptied
vps:rebuild the machine is emptied
vps:snapshot/revert what was written since the snapshot is lost
vps:snapshot/delete a copy of the machine is lost
vps:option/delete an option such as backups is given up
dedicatedServer:option/delete an option such as backups is given up
dedicatedServer:features/backupFTP/delete the backup space is emptied
dedicatedServer:features/backupCloud/delete the backup space is emptied
dedicatedHousing:features/backupFTP/delete the backup space is emptied
dedicatedServer:vrack/delete the server leaves its private network
dnsZone:record/delete names of the domain stop working
dnsZone:reset every name of the domain stops working
dnsZone:history/restore every name of the domain goes back to an older state
*:database/delete databases are deleted
*:database/dump/delete copies of a database are lost
*:database/restore what was written to the database since is lost
*:database/dump/restore what was written to the database since is lost
webCloudDatabases:dump/delete copies of a database are lost
webCloudDatabases:dump/restore what was written to the database since is lost
webHosting:restoreSnapshot what was written since the snapshot is lost
webHosting:dump/delete copies of a database are lost
webHosting:module/delete a site is deleted
webHosting:website/delete a site is deleted
webHosting:attachedDomain/delete a site no longer answers
dedicatedNas:partition/delete files are deleted
nasHA:partition/delete files are deleted
nasHA:partition/*napshot/delete copies of files are lost
storageNetApp:share/delete files are deleted
storageNetApp:share/*delete files or copies of them are lost
storageNetApp:share/revertToSnapshot what was written since the snapshot is lost
dedicatedCeph:pool/delete a pool and its data are deleted
dedicatedCeph:cephfs/delete files are deleted
clusterHadoop:node/delete a machine of the cluster is given up
caasRegistry:namespaces/delete images are deleted
caasRegistry:namespaces/images/delete images are deleted
emailExchange:service/account/delete a mailbox is deleted
emailExchange:service/account/archive/delete archived mail is deleted
emailExchange:service/domain/delete mail of a domain stops
emailPro:account/delete a mailbox is deleted
zimbra:platform/account/delete a mailbox is deleted
zimbra:platform/organization/delete an organisation with its mailboxes is deleted
emailMxplan:account/delete a mailbox is deleted
emailDomain:account/delete a mailbox is deleted
microsoftServices:sync/delete the directory is no longer kept in step
overTheBox:delete the service is given up
pccVMware:datacenter/delete a datacentre with its machines is deleted
pccVMware:*filer/remove storage is given up
pccVMware:datacenter/host/remove a host is given up
pccVMware:datacenter/*/disable backups are switched off
pccVMware:datacenter/backup/disable backups are switched off
pccVMware:datacenter/vm/disableBackup backups of a machine are switched off
publicCloudProject:instance/delete machines are deleted
publicCloudProject:volume/delete volumes are deleted
publicCloudProject:volume/snapshot/delete copies of volumes are lost
publicCloudProject:region/volume/bulkDeleteSnapshots copies of volumes are lost
publicCloudProject:volume/backup/delete copies of volumes are lost
publicCloudProject:instance/backup/delete copies of machines are lost
publicCloudProject:instance/autobackup/delete backups are switched off
publicCloudProject:share/delete a share of files is deleted
publicCloudProject:region/share/delete a share of files is deleted
publicCloudProject:region/share/snapshot/delete copies of a share of files are lost
publicCloudProject:storage/file/snapshot/delete copies of a share of files are lost
publicCloudProject:bucket/delete a storage container is deleted
publicCloudProject:storage/object/bucket/lifecycle/edit objects can be deleted after a time
backupServices:vspc/backupLicenses/delete a server of backups loses its licence
publicCloudProject:snapshot/delete copies of machines are lost
publicCloudProject:region/volumeBackup/delete copies of volumes are lost
publicCloudProject:region/workflow/backup/delete backups are switched off
publicCloudProject:database/*/delete databases, or parts of them, are deleted
publicCloudProject:database/mongodb/restore what was written to the database since is lost
publicCloudProject:kube/delete a cluster is deleted
publicCloudProject:kube/node/delete machines of the cluster are deleted
publicCloudProject:kube/nodepool/delete machines of the cluster are deleted
publicCloudProject:kube/reset the cluster is emptied
publicCloudProject:containerRegistry/delete a registry with its images is deleted
publicCloudProject:storage/delete objects are deleted
publicCloudProject:region/storage/delete a storage container is deleted
publicCloudProject:region/storage/object/delete objects are deleted
publicCloudProject:region/storage/object/version/delete versions of objects are deleted
publicCloudProject:region/storage/bulkDeleteObjects objects are deleted
publicCloudProject:region/storage/lifecycle/edit objects can be deleted after a time
publicCloudProject:region/coldArchive/delete an archive is deleted
publicCloudProject:region/coldArchive/object/delete archived objects are deleted
publicCloudProject:region/keymanager/secret/delete secrets, and what they open, are lost
publicCloudProject:keyManager/secret/delete secrets, and what they open, are lost
okms:secret/delete secrets, and what they open, are lost
okms:secret/version/delete secrets, and what they open, are lost
okms:serviceKey/delete what was encrypted with a key is lost
okms:kmip:destroy what was encrypted with a key is lost
publicCloudProject:region/keymanager/certificate/delete certificates are lost
publicCloudProject:network/private/delete a private network is deleted
publicCloudProject:region/network/delete a network is deleted
publicCloudProject:network/delete a network is deleted
publicCloudProject:loadbalancer/delete a load balancer stops
publicCloudProject:region/loadbalancing/loadbalancer/delete a load balancer stops
publicCloudProject:rancher/delete what runs the clusters is deleted
publicCloudProject:ai/*/delete models, jobs or data are deleted
publicCloudProject:user/delete what runs as a user of the project stops
publicCloudProject:user/s3Credentials/delete what runs with the keys stops
loadbalancer:*frontend/delete a load balancer stops answering
loadbalancer:*farm/delete servers behind a load balancer are cut off
voip:service/delete a line is given up
voip:*records/delete recorded calls are lost
vrack:*/delete machines leave their private network
vmwareCloudDirector:organization/virtualDataCenter/compute/delete computing power of the private cloud is given up
vmwareCloudDirector:organization/virtualDataCenter/vrackSegment/delete machines leave their private network
domain:option/delete an option of the domain is given up`,
  control: `vps:openConsoleAccess a console of the machine is opened
vps:getConsoleUrl a console of the machine is opened
vps:setPassword the password of the machine can be set
vps:put the machine can be started into a system that opens its disks
vps:rebuild the machine can be set up anew with a key of one's own
vps:reinstall the machine can be set up anew with a key of one's own
vps:snapshot/download/get the disk, and the credentials on it, can be carried away
dedicatedServer:authenticationSecret/create the password of a freshly installed machine is given out
dedicatedServer:features/bmc/*/create a console of the machine is opened
dedicatedServer:features/ipmi/access/create a console of the machine is opened
dedicatedServer:put the machine can be started into a system that opens its disks
dedicatedServer:install/start the machine can be set up anew with a key of one's own
dedicatedServer:reinstall the machine can be set up anew with a key of one's own
publicCloudProject:instance/vnc/create a console of the machine is opened
publicCloudProject:instance/createConsole a console of the machine is opened
publicCloudProject:instance/rescueMode/create the machine can be started into a system that opens its disks
publicCloudProject:instance/reinstall the machine can be set up anew with a key of one's own
publicCloudProject:region/instance/reinstall the machine can be set up anew with a key of one's own
publicCloudProject:kube/kubeconfig/* what runs in the cluster can be changed
publicCloudProject:kube/reset the cluster can be set up anew
webHosting:user/changePassword the files of the site, and what they run, can be changed
webHosting:user/create the files of the site, and what they run, can be changed
webHosting:key/ssh/create the files of the site, and what they run, can be changed
webHosting:cron/create anything can be run as the site
webHosting:cron/edit anything can be run as the site`,
}
