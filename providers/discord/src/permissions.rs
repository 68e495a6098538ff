//! Computes a member's permissions in a channel as Discord does
//! (<https://discord.com/developers/docs/topics/permissions#permission-overwrites>).

use dmplz_provider_sdk::prelude::*;

/// A set of permission bits (docs/topics/permissions#permissions-bitwise-permission-flags).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Permissions(u64);

impl Permissions {
    pub(crate) const ADD_REACTIONS: Self = Self(1 << 6);
    pub(crate) const VIEW_CHANNEL: Self = Self(1 << 10);
    pub(crate) const SEND_MESSAGES: Self = Self(1 << 11);
    pub(crate) const MANAGE_MESSAGES: Self = Self(1 << 13);
    pub(crate) const EMBED_LINKS: Self = Self(1 << 14);
    pub(crate) const ATTACH_FILES: Self = Self(1 << 15);
    pub(crate) const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    pub(crate) const CREATE_PUBLIC_THREADS: Self = Self(1 << 35);
    pub(crate) const SEND_MESSAGES_IN_THREADS: Self = Self(1 << 38);
    const ADMINISTRATOR: Self = Self(1 << 3);
    const ALL: Self = Self(u64::MAX);

    /// Returns them as a number.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    /// Returns whether it contains all of these.
    pub(crate) fn has(self, these: Self) -> bool {
        self.0 & these.0 == these.0
    }

    /// Returns the union of both.
    pub(crate) fn and(self, these: Self) -> Self {
        Self(self.0 | these.0)
    }

    fn without(self, these: Self) -> Self {
        Self(self.0 & !these.0)
    }

    /// Parses permissions, which are decimal numbers in strings.
    fn read(object: &Value, key: &str) -> Self {
        Self(object.text(key).and_then(|bits| bits.parse().ok()).unwrap_or_default())
    }
}

/// Returns the permissions of a member with these roles in a channel. A thread has the overwrites of its parent.
pub(crate) fn effective(guild: &str, roles: &[Value], member: &Value, channel: &Value) -> Permissions {
    let member_id = member.get("user").and_then(|user| user.text("id")).unwrap_or_default();
    let own_roles = member.items("roles").iter().filter_map(Value::as_str).collect::<Vec<_>>();
    let is_own = |id: &str| id == guild || own_roles.contains(&id);
    let base = roles.iter().filter(|role| role.text("id").is_some_and(is_own));
    let base = base.fold(Permissions::default(), |all, role| all.and(Permissions::read(role, "permissions")));
    if base.has(Permissions::ADMINISTRATOR) {
        return Permissions::ALL;
    }
    let overwrites = channel.items("permission_overwrites");
    // The overwrites apply in this order: everyone, all roles together, the member.
    let of_everyone = overwritten(base, overwrites, |id| id == guild);
    let of_roles = overwritten(of_everyone, overwrites, |id| id != guild && own_roles.contains(&id));
    let effective = overwritten(of_roles, overwrites, |id| id == member_id);
    if effective.has(Permissions::VIEW_CHANNEL) { effective } else { Permissions::default() }
}

fn overwritten(before: Permissions, overwrites: &[Value], applies: impl Fn(&str) -> bool) -> Permissions {
    let applying = || overwrites.iter().filter(|overwrite| overwrite.text("id").is_some_and(&applies));
    let sum = |key| applying().fold(Permissions::default(), |all, it| all.and(Permissions::read(it, key)));
    before.without(sum("deny")).and(sum("allow"))
}
