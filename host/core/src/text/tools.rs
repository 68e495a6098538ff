//! The words for what tools do.

texts! {
    /// The words for what tools do, in one language. The first `{}` of a text stands for who wants it.
    ToolWords {
        /// Claude Code, as the one who wants it.
        client: "Claude가", "Claude";
        /// Another program, as the one who wants it.
        program: "프로그램이", "A program";
        /// The heading of a plan.
        plan: "계획", "Plan";
        /// The heading of questions.
        question: "질문", "Question";
        /// The heading of a change to a mode in which nobody is asked.
        mode: "앞으로 아무에게도 묻지 않음", "From now on, nobody is asked";
        /// A tool that is none of these; who wants it, and its name.
        other: "{} {} 도구를 사용하려고 합니다", "{} wants to use {}";
    }
    others {
        /// Names of tools, and what each of them does.
        acts: &'static [(&'static [&'static str], &'static str)] =
            &[
                (&["Bash", "PowerShell"], "{} 명령을 실행하려고 합니다"),
                (&["Edit", "MultiEdit"], "{} 파일을 고치려고 합니다"),
                (&["Write"], "{} 파일을 쓰려고 합니다"),
                (&["NotebookEdit"], "{} 노트북을 고치려고 합니다"),
                (&["Read"], "{} 파일을 읽으려고 합니다"),
                (&["Glob", "Grep", "LS"], "{} 파일을 찾으려고 합니다"),
                (&["WebFetch"], "{} 웹 페이지를 읽으려고 합니다"),
                (&["WebSearch"], "{} 웹에서 검색하려고 합니다"),
                (&["Task", "Agent"], "{} 서브에이전트를 시작하려고 합니다"),
                (&["Skill"], "{} 스킬을 사용하려고 합니다"),
            ],
            &[
                (&["Bash", "PowerShell"], "{} wants to run a command"),
                (&["Edit", "MultiEdit"], "{} wants to edit a file"),
                (&["Write"], "{} wants to write a file"),
                (&["NotebookEdit"], "{} wants to edit a notebook"),
                (&["Read"], "{} wants to read a file"),
                (&["Glob", "Grep", "LS"], "{} wants to look for files"),
                (&["WebFetch"], "{} wants to read a web page"),
                (&["WebSearch"], "{} wants to search the web"),
                (&["Task", "Agent"], "{} wants to start a subagent"),
                (&["Skill"], "{} wants to use a skill"),
            ];
    }
}
