//! The words for each failure of the setup, in Korean and English.

use dmplz_core::text::Lang;

use super::Failure;
use crate::terminal::say;

impl Failure {
    /// What was tried, what came back, what to do. `{}` stands for what the failure holds.
    pub(super) fn templates(&self, lang: Lang) -> [&'static str; 3] {
        let [tried, got, next] = match self {
            Self::NeedsPerson(_) => [
                ["터미널 없이 설정을 진행했습니다", "the setup ran without a terminal"],
                ["정해지지 않은 것이 있습니다: {}", "an answer is missing: {}"],
                [
                    "{} 값을 주거나, 터미널에서 `dmplz setup`을 실행해 주세요",
                    "give {}, or run `dmplz setup` in a terminal",
                ],
            ],
            Self::NeedsPairing => [
                ["답할 사람을 확인하려 했습니다", "the person who may answer was to be confirmed"],
                [
                    "그 질문에는 터미널에 있는 사람만 답할 수 있습니다(--yes로도 건너뛰지 못합니다)",
                    "only a person at a terminal can answer that, and --yes does not",
                ],
                [
                    "여기까지의 설정은 보관했습니다. 사람이 직접 터미널에서 `dmplz setup`을 실행해 주세요",
                    "what is set up so far is kept: have the person run `dmplz setup` in a terminal",
                ],
            ],
            Self::Left => [
                ["설정을 도중에 멈췄습니다", "setup was interrupted"],
                ["입력이 끝났습니다", "its input ended"],
                ["`dmplz setup`을 다시 실행하면 멈춘 곳부터 이어집니다", "`dmplz setup` goes on where it stopped"],
            ],
            Self::Interrupted => [
                ["설정을 도중에 멈췄습니다", "setup was interrupted"],
                ["Ctrl-C를 눌렀습니다", "Ctrl-C was pressed"],
                ["`dmplz setup`을 다시 실행하면 멈춘 곳부터 이어집니다", "`dmplz setup` goes on where it stopped"],
            ],
            Self::NoSuchMessenger(_) => [
                ["--messenger에 적은 메신저를 쓰려 했습니다", "the messenger of --messenger was looked for"],
                ["그런 메신저는 없습니다. 쓸 수 있는 것: {}", "there is none of that name; it takes {}"],
                ["그중 하나를 골라 주세요", "name one of them"],
            ],
            Self::AnswersFile(..) => [
                ["--from-file의 답을 읽으려 했습니다", "the answers of --from-file were to be read"],
                ["쓸 수 없습니다: {}: {}", "{} cannot be used: {}"],
                ["그 파일을 고쳐 주세요", "correct that file"],
            ],
            Self::TokenCommand(_) => [
                ["--token-command를 실행했습니다", "the command of --token-command was run"],
                ["토큰을 얻지 못했습니다: {}", "it gave no token: {}"],
                ["그 명령이 토큰을 출력하는지 확인해 주세요", "check that the command prints the token"],
            ],
            Self::TokenRefused(_) => [
                ["그 토큰으로 로그인하려 했습니다", "the bot logged in with that token"],
                ["메신저가 받아들이지 않았습니다", "the messenger did not accept it"],
                [
                    "토큰 전체를 다시 복사해 `dmplz setup`을 실행해 주세요: {}",
                    "copy all of the token again, and run `dmplz setup`: {}",
                ],
            ],
            Self::TokenRevoked(_) => [
                ["설정해 둔 토큰으로 로그인하려 했습니다", "the bot logged in with the token that was set up"],
                [
                    "메신저가 더는 받아들이지 않습니다. 폐기된 토큰입니다",
                    "the messenger does not accept it any more: it was revoked",
                ],
                [
                    "새 토큰을 발급받아 {}에 넣고(config.toml에서는 지우고) `dmplz setup`을 실행해 주세요",
                    "have a new one made, put it into {} (or remove the old one from config.toml), and run `dmplz setup`",
                ],
            ],
            Self::Webhook(_) => [
                ["봇의 이벤트를 받으려 했습니다", "the bot's events were to come here"],
                ["다른 곳이 가져갑니다: {}", "they go somewhere else: {}"],
                [
                    "이 봇은 그대로 두고, 새 봇을 만들어 그 토큰으로 `dmplz setup`을 실행해 주세요",
                    "leave that bot alone: make a new one, and run `dmplz setup` with its token",
                ],
            ],
            Self::OtherPoller => [
                ["봇의 이벤트를 기다렸습니다", "the bot's events were waited for"],
                [
                    "다른 프로그램이 같은 토큰으로 그것을 가져갑니다(409)",
                    "another program takes them with the same token (409)",
                ],
                [
                    "그 프로그램을 멈추거나, 새 봇의 토큰으로 `dmplz setup`을 실행해 주세요",
                    "stop that program, or run `dmplz setup` with the token of a bot of its own",
                ],
            ],
            Self::InUse(Some(_)) => [
                ["봇의 이벤트를 기다리려 했습니다", "the bot's events were to be waited for"],
                ["게이트웨이(`dmplz serve`)가 이 봇을 쓰고 있습니다", "the gateway (`dmplz serve`) uses this bot"],
                ["게이트웨이를 멈추고 `dmplz setup`을 다시 실행해 주세요", "end it, and run `dmplz setup` again"],
            ],
            Self::InUse(None) => [
                ["봇의 이벤트를 기다리려 했습니다", "the bot's events were to be waited for"],
                ["다른 dmplz가 이 봇으로 묻고 있습니다", "another dmplz is asking on this bot"],
                [
                    "그 요청에 답한 뒤 `dmplz setup`을 다시 실행해 주세요",
                    "answer that request, then run `dmplz setup` again",
                ],
            ],
            Self::NobodyPressed => [
                ["링크로 봇에게 말을 걸기를 기다렸습니다", "somebody was to write to the bot by the link"],
                ["제한 시간 안에 아무도 하지 않았습니다", "nobody did in time"],
                [
                    "`dmplz setup`을 다시 실행하고, 링크를 열어 시작을 눌러 주세요",
                    "run `dmplz setup` again, open the link and press Start",
                ],
            ],
            Self::WrongCode(_) => [
                ["링크로 봇에게 말을 걸기를 기다렸습니다", "somebody was to write to the bot by the link"],
                ["{} 님이 말을 걸었지만 이 링크의 코드가 아니었습니다", "{} wrote, but without the code of this link"],
                [
                    "`dmplz setup`을 다시 실행하고, 거기에 나온 링크나 QR 코드로 시작해 주세요",
                    "run `dmplz setup` again, and start by the link or the QR code that it shows",
                ],
            ],
            Self::NotYou(_) => [
                ["누가 답할지 확인했습니다", "the person who may answer was to be confirmed"],
                [
                    "{} 님은 본인이 아니라고 하셨습니다. 그 코드는 더 쓸 수 없습니다",
                    "you said that {} is not you; that code is void",
                ],
                [
                    "`dmplz setup`을 다시 실행하고, 새 링크는 아무에게도 보여 주지 마세요",
                    "run `dmplz setup` again, and show its new link to nobody",
                ],
            ],
            Self::NotInvited(_) => [
                ["초대한 사람인지 확인했습니다", "whether that is the person you invited was to be confirmed"],
                [
                    "{} 님은 초대한 사람이 아니라고 하셨습니다. 그 코드는 더 쓸 수 없습니다",
                    "you said that {} is not; that code is void",
                ],
                [
                    "`dmplz people invite`를 다시 실행하고, 새 링크는 초대할 사람에게만 보내 주세요",
                    "run `dmplz people invite` again, and send its new link to that person alone",
                ],
            ],
            Self::PrivateChat => [
                ["다른 사람을 초대하려 했습니다", "another person was to be invited"],
                [
                    "카드가 가는 곳이 한 사람의 개인 채팅이라 다른 사람은 볼 수 없습니다",
                    "cards go to a private chat, which nobody else can see",
                ],
                [
                    "그룹이나 채널을 채팅으로 설정한 뒤 `dmplz people invite`를 실행해 주세요",
                    "set a group or a channel as the chat, then run `dmplz people invite`",
                ],
            ],
            Self::NoLink(_) => [
                ["다른 사람을 초대하려 했습니다", "another person was to be invited"],
                ["이 메신저에서는 봇에게 먼저 말을 걸 수 없습니다", "nobody can write to this messenger's bot first"],
                ["답할 사람의 id를 {}에 직접 넣어 주세요", "put the id of that person into {} yourself"],
            ],
            Self::NotListed(_) => [
                [
                    "답할 수 있는 사람의 목록에서 지우려 했습니다",
                    "a person was to be removed from those who may answer",
                ],
                ["{} 님은 목록에 없습니다", "{} is not in the list"],
                ["`dmplz people list`로 목록을 확인해 주세요", "`dmplz people list` shows who is"],
            ],
            Self::Owner(_) => [
                [
                    "답할 수 있는 사람의 목록에서 지우려 했습니다",
                    "a person was to be removed from those who may answer",
                ],
                [
                    "{} 님은 이 개인 채팅의 주인이라 목록과 관계없이 답할 수 있습니다",
                    "{} owns the private chat, so they may answer whatever the list says",
                ],
                [
                    "다른 사람이 답하게 하려면 다른 사람의 채팅이나 그룹, 채널을 채팅으로 설정해 주세요",
                    "to have others answer instead, set their chat, a group or a channel as the chat",
                ],
            ],
            Self::Everybody(_) => [
                [
                    "답할 수 있는 사람의 목록에서 지우려 했습니다",
                    "a person was to be removed from those who may answer",
                ],
                [
                    "목록에 *가 있어 채팅의 모두가 답할 수 있으므로, 지워도 {} 님은 답할 수 있습니다",
                    "everybody in the chat may answer, because * is in the list; so {} could do so all the same",
                ],
                ["먼저 `dmplz people remove '*'`를 실행해 주세요", "run `dmplz people remove '*'` first"],
            ],
            Self::LastPerson(_) => [
                [
                    "답할 수 있는 사람의 목록에서 지우려 했습니다",
                    "a person was to be removed from those who may answer",
                ],
                ["{} 님을 지우면 아무도 답할 수 없습니다", "without {} nobody could answer"],
                [
                    "그래도 지우려면 `dmplz people remove {} --yes`를 실행해 주세요",
                    "to remove them all the same, run `dmplz people remove {} --yes`",
                ],
            ],
            Self::RefusedInChat => [
                ["채팅에서 본인인지 물었습니다", "the person in the chat was asked whether it is them"],
                ["아니라고 답했습니다. 그 코드는 더 쓸 수 없습니다", "they said no; that code is void"],
                [
                    "본인의 기기에서 `dmplz setup`을 다시 실행해 주세요",
                    "run `dmplz setup` again, with a device of your own",
                ],
            ],
            Self::SilentInChat => [
                ["채팅에서 본인인지 물었습니다", "the person in the chat was asked whether it is them"],
                ["제한 시간 안에 답하지 않았습니다", "they did not answer in time"],
                [
                    "`dmplz setup`을 다시 실행하고, 봇이 묻는 말에 답해 주세요",
                    "run `dmplz setup` again, and answer what the bot asks",
                ],
            ],
            Self::NobodyMayAnswer => [
                ["누가 답할지 정하려 했습니다", "who may answer was to be set"],
                ["아무도 답할 수 없습니다", "nobody may"],
                [
                    "누가 답했는지 알려 주는 메신저로 `dmplz setup`을 다시 실행해 주세요",
                    "run `dmplz setup` again with a messenger that tells who answers",
                ],
            ],
            Self::Unreachable(..) => [
                ["메신저의 서버에 연결하려 했습니다", "the messenger's server was called"],
                ["연결할 수 없습니다: {}", "it cannot be reached: {}"],
                [
                    "네트워크와 방화벽을 확인하고, 프록시가 필요하면 DMPLZ_HTTPS_PROXY를, 회사 인증서가 필요하면 DMPLZ_CA_FILE을 넣어 `dmplz setup`을 다시 실행해 주세요",
                    "check the network and the firewall; if you need a proxy, set DMPLZ_HTTPS_PROXY, or DMPLZ_CA_FILE for a company's certificates, and run `dmplz setup` again",
                ],
            ],
            Self::Certificate(_) => [
                ["메신저의 서버에 연결하려 했습니다", "the messenger's server was called"],
                ["서버의 인증서를 믿을 수 없습니다: {}", "its certificate is not trusted: {}"],
                [
                    "다른 것이 이 연결에 끼어 있습니다. 회사의 프록시라면 `DMPLZ_CA_FILE=<그 인증서(PEM)> dmplz setup`을 실행하고, 아니라면 이 컴퓨터의 시계를 확인해 주세요",
                    "something stands in this connection: if it is your company's proxy, run `DMPLZ_CA_FILE=<its certificate (PEM)> dmplz setup`; otherwise check this computer's clock",
                ],
            ],
            Self::Messenger(_) => [
                ["메신저에 물었습니다", "the messenger was asked"],
                ["{}", "{}"],
                [
                    "`DMPLZ_LOG=debug dmplz setup`으로 더 자세히 볼 수 있습니다",
                    "`DMPLZ_LOG=debug dmplz setup` tells more",
                ],
            ],
            Self::NotWritable(..) => [
                ["설정을 보관하려 했습니다", "the settings were to be kept"],
                ["{}에 쓸 수 없습니다: {}", "{} cannot be written: {}"],
                [
                    "{}의 소유자와 권한을 고쳐 주세요. 다른 곳에 두려면 DMPLZ_STATE_DIR로 지정해 주세요",
                    "correct the owner and mode of {}, or name another place in DMPLZ_STATE_DIR",
                ],
            ],
            Self::Overridden(_) => [
                ["보관한 설정을 다시 읽었습니다", "the settings that were kept were read again"],
                ["환경 변수가 그것을 가립니다: {}", "{} in the environment hides them"],
                ["`unset {}`한 뒤 `dmplz setup`을 다시 실행해 주세요", "`unset {}`, then run `dmplz setup` again"],
            ],
            Self::HooksOff(_) => [
                ["Claude Code의 설정을 보았습니다", "Claude Code's settings were looked at"],
                ["모든 훅이 꺼져 있습니다(disableAllHooks): {}", "every hook is turned off (disableAllHooks): {}"],
                [
                    "{}에서 disableAllHooks를 지우고 `dmplz setup`을 다시 실행해 주세요",
                    "take disableAllHooks out of {}, and run `dmplz setup` again",
                ],
            ],
            Self::OnlyManagedHooks(_) => [
                ["Claude Code의 설정을 보았습니다", "Claude Code's settings were looked at"],
                [
                    "관리자가 정한 훅만 실행됩니다(allowManagedHooksOnly): {}",
                    "only hooks of the administrator run (allowManagedHooksOnly): {}",
                ],
                [
                    "관리자에게 {}에 `dmplz hook`을 등록해 달라고 해 주세요",
                    "ask the administrator to register `dmplz hook` in {}",
                ],
            ],
            Self::NotInstalled(_) => [
                [
                    "Claude Code의 설정에 훅을 등록하려 했습니다",
                    "the hooks were to be registered in Claude Code's settings",
                ],
                ["그럴 수 없었습니다: {}", "they cannot be: {}"],
                [
                    "그것을 바로잡은 뒤 `dmplz install --user`를 실행해 주세요",
                    "correct that, then run `dmplz install --user`",
                ],
            ],
            Self::RuleAnswers => [
                ["테스트 카드를 보내려 했습니다", "a test card was to be sent"],
                [
                    "정책 규칙이 이미 답하므로 아무에게도 묻지 않습니다",
                    "a rule of your policy answers it, so nobody is asked",
                ],
                [
                    "`dmplz policy list`로 `echo`나 Bash 전체에 답하는 규칙을 찾아 좁혀 주세요",
                    "find the rule that answers `echo`, or all of Bash, with `dmplz policy list`, and narrow it",
                ],
            ],
            Self::TestUnanswered => [
                ["테스트 카드를 보냈습니다", "a test card was sent"],
                ["제한 시간 안에 아무도 누르지 않았습니다", "nobody pressed it in time"],
                [
                    "`dmplz setup`을 다시 실행하고 카드의 버튼을 눌러 주세요. 지금까지의 설정은 보관했습니다",
                    "run `dmplz setup` again and press a button of the card; what is set up so far is kept",
                ],
            ],
            Self::TestFailed(_) => [
                ["훅으로 테스트 카드를 보내려 했습니다", "the hook was to send a test card"],
                ["보내지 못했습니다: {}", "it could not: {}"],
                ["`dmplz doctor`가 무엇이 문제인지 알려 줍니다", "`dmplz doctor` tells what is wrong"],
            ],
        };
        [tried, got, next].map(|[ko, en]| say(lang, ko, en))
    }
}
