//! The options and operands of programs that are secrets.
//!
//! A line is `programs | specs`. Programs are separated by commas; words after a program are its subcommands, which
//! must follow in that order. `*` is any program. A spec is one of
//!
//! | spec | the secret |
//! |---|---|
//! | `-p` | the value of an option, attached (`-pX`) or after it (`-p X`); of a longer one also after `=` |
//! | `-p+` | its value, only attached |
//! | `-p_` | its value, only after it |
//! | `/p:` | the rest of a word with this beginning |
//! | `word` | the word after that word |
//! | `@2` | the second argument that is not an option; `@last` the last one |
//! | `<` | the input from a pipe or `<<<` |
//! | `@2?-b`, `<?-b` | only if this word is present, or this letter in a group; with `.` at its end, a word with this beginning |
//! | `%sS` | letters that may precede a letter with a value in one word (`-su a:b`) |
//!
//! A kind may follow: `~user` for what comes after the first `:`, `~comma`, `~slash` and `~percent` after another mark,
//! `~pair` after the first `=`, `~header` for the value of a header, `~cookie` for anything with a `=`, `~pass` for
//! `pass:X`, `~token` for `user:X` or else the whole.

use std::sync::OnceLock;

use super::table::{Table, slot, sorted, split_once};

const TABLE: &str = "
* login | -p
* auth login | -t
# Web.
curl | %sSfLkivgGIjlnNOaqJR#0123456 -u~user --user~user -U~user --proxy-user~user -b~cookie --cookie~cookie -E~user --cert~user --oauth2-bearer --pass --key-passwd --proxy-pass --tlspassword --proxy-tlspassword -H~header --header~header --proxy-header~header
wget,wget2 | --http-passwd --http-password --ftp-password --proxy-password --password --header~header
http,https,xh,xhs,httpie | -a~token --auth~token
aria2c | --http-passwd --ftp-passwd --rpc-secret --all-proxy-passwd --header~header
ab | -A~user -P~user -C~cookie -H~header
hey,wrk,siege,bombardier,oha,vegeta,grpcurl,websocat,wscat,ffuf,gobuster,nuclei | -a~user -H~header --header~header -header~header -b~cookie --auth~token
wscat | --auth~user
nikto | -id~user
sqlmap | --cookie --auth-cred~user
wpscan | --api-token
lynx | -auth~user -pauth~user
elinks,w3m,links | -pauth~user
# Databases.
mysql,mysqldump,mysqladmin,mysqlimport,mysqlcheck,mysqlshow,mysqlslap,mysqlpump,mysqlbinlog,mysqlsh,mysql_upgrade,mariadb,mariadb-dump,mariadb-admin,mariadb-import,mariadb-check,mariadb-backup,xtrabackup | -p+ --password
mysqladmin,mariadb-admin | password
mycli,litecli,pgcli,mydumper,myloader | -p --password
mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport,mongostat,mongotop,mongofiles | -p --password
redis-cli,valkey-cli,keydb-cli | -a_ --pass auth AUTH requirepass masterauth
redis-server,valkey-server | --requirepass --masterauth
redis-benchmark | -a_
psql,pg_dump,pg_restore,createdb | --password
sqlcmd,osql,isql,bcp,tsql,sqsh | -P --password
sqlplus,sqlldr,expdp,impdp,sqlcl | @1~slash
rman | target~slash
db2 | using
cqlsh | -p --password
influx | -password -t --token
clickhouse-client,clickhouse | --password
hdbsql,beeline,impala-shell,vsql,nzsql,gsql | -p -w
arangosh | --server.password
cypher-shell,neo4j-admin,neo4j-shell | -p --password set-initial-password
couchbase-cli | -p --password
rabbitmqadmin | -p --password
rabbitmqctl add_user,rabbitmqctl change_password,rabbitmqctl authenticate_user | @2
etcdctl | --user~user --password
snowsql | --password -t
mosquitto_pub,mosquitto_sub,mosquitto_rr | -P --pw
mosquitto_passwd | @last?-b
mqttx,mqtt | -P -pw --password
kafkacat,kcat | -X~pair
ldapsearch,ldapadd,ldapmodify,ldapdelete,ldappasswd,ldapwhoami,ldapmodrdn,ldapcompare,ldapexop | %xvncWZ -w -s_ -a_
slappasswd | -s
# Registries, clouds, forges.
docker,podman,nerdctl,buildah,finch | --password
docker login,podman login,nerdctl login,buildah login,skopeo login,regctl login,crane login,oras login | -p --password <?--password-stdin
helm,oras,skopeo | --password --creds~user --src-creds~user --dest-creds~user
helm registry login | -p
docker secret create,podman secret create | <?-
kubectl,oc,k3s,microk8s,minikube | --token --password --docker-password
kubectl create secret,oc create secret,k3s kubectl create secret,microk8s kubectl create secret | --from-literal~pair
oc login | -p -t --token
vault login | @1 <?-
vault | -token
vault kv put,vault kv patch,vault write,bao kv put | @all~pair
consul,nomad | -token --token
aws | --secret-string --token-code --master-user-password --user-password --secret-access-key
aws secretsmanager | --secret-string --secret-binary
aws ssm put-parameter | --value
aws kms | --plaintext
aws cognito-idp | --password --auth-parameters~pair
az login | -p --password --federated-token
az keyvault secret set | --value
az | --password --admin-password --account-key --sas-token --registry-password
az ad,az acr,az webapp deployment | -p
gcloud | --password --access-token
ibmcloud | --apikey
cf auth | @2
doctl | -t --access-token
flyctl,fly | -t --access-token
flyctl secrets set,fly secrets set,flyctl secrets import,fly secrets import | @all~pair <
vercel,now,netlify,surge,railway,render | -t --token --auth
gh auth login,glab auth login | -t --token <?--with-token <?--stdin
gh secret set,glab variable set | -b --body -v --value <
gh,glab,tea,hub | -H~header --header~header
wrangler secret put,vercel env add,firebase functions | <
doppler secrets set | @2 @all~pair
doppler,infisical,op,phase | --token --session
pulumi config set,pulumi stack config set | @2?--secret
travis encrypt | @1
circleci setup | --token
linode-cli,hcloud,scw,oci | --token --root_pass --authorized-token
ngrok | authtoken add-authtoken
ngrok http | --basic-auth~user
snyk auth | @1
tailscale,headscale | --authkey --auth-key
cloudflared service install | @1
sentry-cli | --auth-token
argocd | --auth-token --password
argocd account update-password | --current-password --new-password
mc alias set,mc config host add | @3 @4
s3cmd | --access_key --secret_key
b2 authorize-account,b2 account authorize | @2
rclone obscure | @1
rclone config | pass password token secret_access_key
restic,borg | --insecure-password
swift | -K --key
openstack | --os-password --password
huggingface-cli,hf,wandb,comet,clearml | --token --relogin
wandb login,cargo login,hf auth login | @1
openai | -k --api-key
# Packages.
npm,pnpm,yarn,bun | --otp --_authToken --_auth
npm login,npm adduser | --password
twine,poetry publish,flit publish,hatch publish | -p --password
hatch publish | -a --auth
uv publish | -t --token -p --password
pip,pip3,pipx | --password
composer config,poetry config | @last?http-basic. @last?github-oauth. @last?gitlab-token. @last?bearer. @last?pypi-token.
gem | --otp --key
nuget,dotnet nuget,choco,paket | -k -ApiKey --api-key -apikey -p --password -Password
nuget setapikey,nuget setApiKey | @1
choco apikey | --key -k
dotnet user-secrets set | @2
cargo publish,cargo owner,cargo yank | --token
conda,anaconda | -t --token
jf,jfrog | --password --access-token --apikey
mvn | --encrypt-password --encrypt-master-password
sonar-scanner | -Dsonar.login
# Keys and archives.
openssl | -passin~pass -passout~pass -pass~pass -password~pass -k_ -K_ -passcert~pass -srppass
openssl passwd | @1
openssl dgst,openssl mac | -hmac -macopt
gpg,gpg2,gpgv | --passphrase <?--passphrase-fd
ssh-keygen | -N -P
ssh-add,age | -P
sshpass | -p
plink,pscp,psftp,putty,kitty,pterm | -pw
winscp,winscp.com | /password:
keytool,jarsigner,apksigner | -storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new --ks-pass~pass --key-pass~pass
signtool | /p -p
certutil | -p
zip,zipcloak,zipnote | %rqj0123456789ve -P
unzip,zipinfo,funzip | %oqjnl -P
7z,7za,7zr,7zz,p7zip | -p+
rar,unrar | -p+ -hp+
qpdf | --password --user-password --owner-password
pdftk | user_pw owner_pw input_pw
pdftotext,pdftoppm,pdfinfo,pdfimages | -upw -opw
gs | -sPDFPassword -sOwnerPassword -sUserPassword
hdiutil | -passphrase <?-stdinpass
cryptsetup | <
veracrypt,truecrypt | -p --password
steghide | -p --passphrase
stegseek,outguess | -k
ccrypt,ccencrypt,ccdecrypt | -K --key
mcrypt | -k --key
oathtool | @last
mkpasswd | @1 -s
ansible-vault encrypt_string | @1
ansible,ansible-playbook | --vault-password
caddy hash-password,caddy reload | --plaintext -p
htpasswd | @last?-b
wg | <
security | -w -p -P
security unlock-keychain,security create-keychain,security set-keychain-password | -p -k
secret-tool store | <
pass insert,gopass insert | <
keyring set | <
bw login | @2
bw | --session
bw unlock | @1
lpass,dashlane,keepassxc-cli | <
kadmin,kadmin.local | -w -pw
ktutil | -w
ktpass | /pass -pass
# Machines and accounts.
chpasswd | <~user
newusers | <
passwd,smbpasswd | <
useradd,usermod,adduser,pw | -p --password
sudo | <?-S
su | <
smbclient,smbget,smbcacls,rpcclient,smbcquotas,net,wbinfo,ntlm_auth | -U~percent --user~percent --authentication-file --password
smbmap,crackmapexec,cme,nxc,netexec,evil-winrm,bloodhound-python,kerbrute | -p --password -H
xfreerdp,xfreerdp3,wlfreerdp,mstsc | /p: /pth: /gp:
rdesktop | -p
x11vnc | -passwd
vncviewer,vncdo | -passwd -p
ipmitool,ipmiutil | -P
snmpwalk,snmpget,snmpset,snmpbulkwalk,snmptranslate | -c -A -X
net use | @last?\\
net user | @2
cmdkey | /pass: /p:
psexec,psexec64,paexec | -p
winrs | -p: -password:
wmic | /password:
schtasks | /rp /p
sysadminctl | -password -adminPassword -newPassword
dscl . | @last?-passwd
samba-tool user create,samba-tool user add | @2
samba-tool | --newpassword --adminpass --password
realm,adcli | <?--stdin-password
nmcli | password wifi-sec.psk 802-11-wireless-security.psk 802-1x.password wifi.psk
wpa_passphrase | @2
networksetup | @last?-setairportnetwork
iwconfig | key
netsh | key
sqlitecipher,sqlcipher | -key
ss-server,ss-local,ssserver,sslocal,ss-redir | -k --password
lftp,ncftp | -u~comma --password
ncftpput,ncftpget,ncftpls,wput | -p
ftp,tnftp | -u~user
swaks | -ap --auth-password
sendemail,sendEmail | -xp
msmtp | --passwordeval
irssi | -w --password
hydra,medusa,ncrack,patator | -p
wp | --user_pass --dbpass --admin_password --password
drush,drupal | --account-pass --db-su-pw --password
svn,svnadmin,svnsync | --password --source-password --sync-password
hg | --password
mount,mount.cifs | --password
virsh,virt-install | --password
vmrun | -gp -vp
govc | -u
esxcli | -p --password
ovftool | --password
jenkins-cli,jenkins | -auth~user
svnserve,subversion | --password
pppd | password
ConvertTo-SecureString | @1 -String
New-LocalUser,Set-LocalUser,Set-ADAccountPassword | -Password
";

/// The part of a value that is the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Whole,
    /// The text after the first occurrence of this character.
    After(char),
    /// The text after the first `:`, or the whole value without one.
    Token,
    /// The text between `/` and `@` in `user/X@place`.
    Slash,
    Header,
    Cookie,
    Pass,
}

#[derive(Debug)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) attached: bool,
    pub(super) separate: bool,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The argument with this number, from 1.
    At(usize),
    Last,
    All,
    Input,
}

#[derive(Debug)]
pub(super) struct Positional {
    pub(super) place: Place,
    pub(super) needs: Option<&'static str>,
    pub(super) kind: Kind,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    /// The subcommands that have to follow the name.
    pub(super) subcommands: Vec<&'static str>,
    pub(super) flags: Vec<Flag>,
    pub(super) positionals: Vec<Positional>,
    /// The letters of options without a value.
    pub(super) switches: &'static str,
}

/// A line of the table, for one of its names.
#[derive(Clone, Copy)]
struct Line {
    name: &'static str,
    /// The subcommands that have to follow the name, separated by spaces.
    subcommands: &'static str,
    specs: &'static str,
}

/// The number of names of all lines.
const COUNT: usize = lines::<0>().2;

/// The lines, by the [`slot`] of the name: every word of a text is looked up.
static LINES: Table<Line> = {
    static SORTED: ([Line; COUNT], [usize; 257]) = {
        let (lines, slots, _) = lines();
        sorted(lines, slots)
    };
    Table { things: &SORTED.0, starts: &SORTED.1 }
};

/// The parsed lines of each name. They are parsed when the name is first looked up, because a hook meets few names.
static READ: [OnceLock<Vec<Program>>; COUNT] = [const { OnceLock::new() }; COUNT];

/// Returns the lines about a program. Its name is given without path and extension; `*` means any program.
pub(super) fn known(name: &str) -> &'static [Program] {
    let range = LINES.range(slot(name));
    let lines = LINES.of(slot(name));
    let Some(first) = lines.iter().position(|line| line.name == name) else { return &[] };
    let of_name = || lines.iter().filter(|line| line.name == name);
    let read = || of_name().map(|line| program_of(line.subcommands, line.specs)).collect();
    READ.get(range.start + first).map_or(&[], |programs| programs.get_or_init(read))
}

/// Returns the lines of the table, one for each name, their slots, and the number of names. Names beyond `N` are only
/// counted.
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is compiled: it would not compile")]
const fn lines<const N: usize>() -> ([Line; N], [u8; N], usize) {
    let (mut lines, mut slots, mut count) = ([Line { name: "", subcommands: "", specs: "" }; N], [0; N], 0);
    let mut rest = TABLE;
    while !rest.is_empty() {
        let (line, after) = split_once(rest, b'\n');
        let (names, specs) = split_once(line, b'|');
        let mut names = if let [b'#', ..] = line.as_bytes() { "" } else { names.trim_ascii_end() };
        while !names.is_empty() {
            let (name, others) = split_once(names, b',');
            if count < N {
                let (name, subcommands) = split_once(name, b' ');
                (lines[count], slots[count]) = (Line { name, subcommands, specs }, slot(name));
            }
            count += 1;
            names = others;
        }
        rest = after;
    }
    (lines, slots, count)
}

fn program_of(subcommands: &'static str, specs: &'static str) -> Program {
    let mut program = Program { subcommands: subcommands.split_whitespace().collect(), ..Program::default() };
    for spec in specs.split_whitespace() {
        let (spec, kind) = spec.split_once('~').map_or((spec, Kind::Whole), |(spec, kind)| (spec, kind_of(kind)));
        let (spec, needs) = spec.split_once('?').map_or((spec, None), |(spec, needs)| (spec, Some(needs)));
        if let Some(letters) = spec.strip_prefix('%') {
            program.switches = letters;
        } else if spec == "<" {
            program.positionals.push(Positional { place: Place::Input, needs, kind });
        } else if let Some(place) = spec.strip_prefix('@') {
            let place = match place {
                "last" => Place::Last,
                "all" => Place::All,
                number => Place::At(number.parse().unwrap_or(1)),
            };
            program.positionals.push(Positional { place, needs, kind });
        } else {
            let name = spec.trim_end_matches(['+', '_']);
            let (attached, separate) = (!spec.ends_with('_'), !spec.ends_with('+') && !spec.ends_with(':'));
            program.flags.push(Flag { name, attached, separate, kind });
        }
    }
    program
}

fn kind_of(kind: &str) -> Kind {
    match kind {
        "user" => Kind::After(':'),
        "comma" => Kind::After(','),
        "percent" => Kind::After('%'),
        "pair" => Kind::After('='),
        "slash" => Kind::Slash,
        "header" => Kind::Header,
        "cookie" => Kind::Cookie,
        "pass" => Kind::Pass,
        "token" => Kind::Token,
        _ => Kind::Whole,
    }
}
