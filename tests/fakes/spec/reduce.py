#!/usr/bin/env python3
"""Reduces the published API schemas to the facts that the fakes check.

    python3 reduce.py telegram api.json > ../../../providers/telegram/fake/spec.json
    python3 reduce.py discord openapi.json > ../../../providers/discord/fake/spec.json

api.json is from github.com/PaulSonOfLars/telegram-bot-api-spec, openapi.json from specs/openapi.json of
github.com/discord/discord-api-spec; take newer ones from there, and change SOURCES with them. Needs no package.

The facts are one form for both: `calls` says for each method or route what its query and body may hold and what it
replies, `types` what is referred to; both in the words of JSON Schema, with two of our own: `opaque` names a type that
exists but is not described here, and lengths in bytes are `minBytes` and `maxBytes`. A field that is not listed does
not exist, unless `partial` says that only the fields the fakes send are listed.
"""
import json
import re
import sys

SOURCES = {
    "telegram": {
        "repository": "https://github.com/PaulSonOfLars/telegram-bot-api-spec",
        "commit": "160fd99507e1c7c77e92dc90f5993d724735b51c",
        "licence": "MIT",
    },
    "discord": {
        "repository": "https://github.com/discord/discord-api-spec",
        "commit": "74fda0fad044407ea280043a03ffc9bc64c4e49e",
        "licence": "MIT, Copyright (c) 2023 Discord",
    },
}

# ---- Telegram

METHODS = """answerCallbackQuery close closeForumTopic createForumTopic deleteMessage deleteMyCommands deleteWebhook
editForumTopic editMessageReplyMarkup editMessageText getChat getChatMember getFile getMe getMyCommands getUpdates
getWebhookInfo logOut reopenForumTopic sendChatAction sendDocument sendMessage sendMessageDraft setMyCommands setWebhook""".split()
# The types that are described; others are opaque. A list: only these fields, because the fakes send no others.
TELEGRAM_TYPES = {
    "AcceptedGiftTypes": None,
    "BotCommand": None,
    "CallbackQuery": None,
    "Chat": None,
    "ChatFullInfo": "id type title username first_name last_name accent_color_id max_reaction_count permissions"
    " accepted_gift_types is_forum".split(),
    "ChatMember": None,
    "ChatMemberAdministrator": None,
    "ChatMemberMember": None,
    "CopyTextButton": None,
    "Document": None,
    "File": None,
    "ForceReply": None,
    "ForumTopic": None,
    "ForumTopicCreated": None,
    "InaccessibleMessage": None,
    "InlineKeyboardButton": None,
    "InlineKeyboardMarkup": None,
    "LinkPreviewOptions": None,
    "MaybeInaccessibleMessage": None,
    "Message": "message_id from date chat reply_to_message edit_date text entities document caption caption_entities"
    " reply_markup link_preview_options has_protected_content message_thread_id is_topic_message forum_topic_created"
    .split(),
    "MessageEntity": None,
    "ReplyKeyboardMarkup": None,
    "ReplyKeyboardRemove": None,
    "ReplyParameters": None,
    "Update": "update_id message edited_message callback_query my_chat_member".split(),
    "User": None,
    "WebhookInfo": None,
}
SCALARS = {"Integer": "integer", "Float": "number", "String": "string", "Boolean": "boolean", "True": "boolean"}
SCALARS["InputFile"] = "string"  # An upload is checked as its name.


def telegram(api):
    def of(name):
        if name.startswith("Array of "):
            return {"type": "array", "items": of(name.removeprefix("Array of "))}
        if name in SCALARS:
            return {"type": SCALARS[name]}
        return {"$ref": name} if name in TELEGRAM_TYPES else {"opaque": name}

    def limits(schema, text):
        for low, high, unit in re.findall(r"(\d+)-(\d+)(?: (characters|bytes))?(?=[ .,]|$)", text):
            if unit and schema.get("type") == "string":
                kind = "Bytes" if unit == "bytes" else "Length"
                schema |= ({"min" + kind: int(low)} if int(low) else {}) | {"max" + kind: int(high)}
            if not unit and schema.get("type") == "integer":
                schema |= {"minimum": int(low), "maximum": int(high)}
        if schema.get("type") == "string" and (only := re.search(r'always ["“](\w+)["”]', text)):
            schema["const"] = only[1]
        elif schema.get("type") == "string" and (among := re.search(r"(?:can be|one of) (?:either )?[\"“].*", text)):
            schema["enum"] = re.findall(r'["“]([a-z_]+)["”]', among[0])
        return schema

    def anyOf(schemas):
        return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}

    def fields(described, only=None):
        there = [field for field in described.get("fields", []) if only is None or field["name"] in only]
        properties = {it["name"]: limits(anyOf([of(name) for name in it["types"]]), it["description"]) for it in there}
        schema = {"type": "object", "properties": properties}
        if required := [field["name"] for field in there if field["required"]]:
            schema["required"] = required
        return schema | ({"partial": True} if only else {})

    def declared(name, only):
        described = api["types"][name]
        if subtypes := described.get("subtypes"):
            return {"anyOf": [of(subtype) for subtype in subtypes]}
        return fields(described, only)

    calls = {
        name: {"body": fields(api["methods"][name]), "reply": anyOf([of(it) for it in api["methods"][name]["returns"]])}
        for name in METHODS
    }
    types = {name: declared(name, only) for name, only in TELEGRAM_TYPES.items()}
    return {"version": f"{api['version']}, {api['release_date']}"}, calls, types


# ---- Discord

ROUTES = {
    "/applications/@me": "get",
    "/applications/{application_id}/commands": "put",
    "/applications/{application_id}/guilds/{guild_id}/commands": "put",
    "/channels/{channel_id}": "get patch",
    "/channels/{channel_id}/messages": "get post",
    "/channels/{channel_id}/messages/{message_id}": "get patch delete",
    "/channels/{channel_id}/messages/{message_id}/reactions": "delete",
    "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}": "get delete",
    "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me": "put delete",
    "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/{user_id}": "delete",
    "/channels/{channel_id}/threads": "post",
    "/channels/{channel_id}/typing": "post",
    "/gateway": "get",
    "/gateway/bot": "get",
    "/guilds/{guild_id}": "get",
    "/guilds/{guild_id}/members/{user_id}": "get",
    "/guilds/{guild_id}/roles": "get",
    "/interactions/{interaction_id}/{interaction_token}/callback": "post",
    "/oauth2/applications/@me": "get",
    "/users/@me": "get",
    "/users/@me/channels": "post",
    "/users/@me/guilds/{guild_id}/member": "get",
    "/users/{user_id}": "get",
    "/webhooks/{webhook_id}/{webhook_token}": "post",
    "/webhooks/{webhook_id}/{webhook_token}/messages/@original": "get patch delete",
    "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": "get patch delete",
}
# Types that would bring in more than the fakes know.
OPAQUE = """ApplicationIncomingWebhookResponse
ContainerComponentForMessageRequest ContainerComponentResponse CustomClientThemeResponse CustomClientThemeShareRequest
EmojiResponse FileComponentForMessageRequest FileComponentResponse GuildIncidentsDataResponse GuildStickerResponse
MediaGalleryComponentForMessageRequest MediaGalleryComponentResponse PollCreateRequest
PollResponse PrivateGroupChannelResponse ResolvedObjectsResponse SectionComponentForMessageRequest
SectionComponentResponse SeparatorComponentForMessageRequest SeparatorComponentResponse StandardStickerResponse
TextDisplayComponentForMessageRequest TextDisplayComponentResponse ThreadMemberResponse UserAvatarDecorationResponse
UserCollectiblesResponse UserPrimaryGuildResponse MessageAttachmentRequestClip TeamResponse
BasicApplicationResponse MessageInteractionResponse MessageSnapshotResponse MessageCallResponse
ForumTagResponse DefaultReactionEmojiResponse ApplicationOAuth2InstallParamsResponse
ApplicationIntegrationTypeConfigurationResponse ApplicationCommandInteractionMetadataResponse
MessageComponentInteractionMetadataResponse ModalSubmitInteractionMetadataResponse MessageShareCustomUserThemeRequest
ChannelSelectComponentForMessageRequest MentionableSelectComponentForMessageRequest RoleSelectComponentForMessageRequest
StringSelectComponentForMessageRequest UserSelectComponentForMessageRequest ChannelSelectComponentResponse
MentionableSelectComponentResponse RoleSelectComponentResponse StringSelectComponentResponse UserSelectComponentResponse
TextInputComponentResponse ChannelSelectComponentForModalRequest CheckboxComponentForModalRequest
CheckboxGroupComponentForModalRequest FileUploadComponentForModalRequest MentionableSelectComponentForModalRequest
RadioGroupComponentForModalRequest RoleSelectComponentForModalRequest StringSelectComponentForModalRequest
UserSelectComponentForModalRequest TextDisplayComponentForModalRequest ApplicationCommandAutocompleteCallbackRequest
LaunchActivityInteractionCallbackRequest PongInteractionCallbackRequest LaunchActivityInteractionCallbackResponse
SocialLayerSKUPurchaseEligibilityInteractionCallbackRequest
ApplicationCommandBooleanOption ApplicationCommandChannelOption
ApplicationCommandIntegerOption ApplicationCommandMentionableOption ApplicationCommandNumberOption
ApplicationCommandRoleOption ApplicationCommandSubcommandGroupOption ApplicationCommandSubcommandOption
ApplicationCommandUserOption ApplicationCommandBooleanOptionResponse
ApplicationCommandChannelOptionResponse ApplicationCommandIntegerOptionResponse
ApplicationCommandMentionableOptionResponse ApplicationCommandNumberOptionResponse ApplicationCommandRoleOptionResponse
ApplicationCommandSubcommandGroupOptionResponse ApplicationCommandSubcommandOptionResponse
ApplicationCommandUserOptionResponse CreateForumThreadRequest UpdateDMRequestPartial UpdateGroupDMRequestPartial
UpdateGuildChannelRequestPartial""".split()
# Facts that the schema gets wrong for bots, and where they are written.
# https://discord.com/developers/docs/resources/message#create-message-jsonform-params
BOT_LIMITS = {("MessageCreateRequest", "content"): 2000, ("MessageEditRequestPartial", "content"): 2000}
KEPT = ["type", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "enum", "const"]


def discord(api):
    types = {}

    def reduced(schema):
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            if name in OPAQUE:
                return {"opaque": name}
            if name not in types:
                types[name] = None
                types[name] = reduced(api["components"]["schemas"][name])
                if limit := BOT_LIMITS.get((name, "content")):
                    types[name]["properties"]["content"]["maxLength"] = limit
            return {"$ref": name}
        variants = schema.get("oneOf") or schema.get("anyOf")
        out = {key: schema[key] for key in KEPT if key in schema}
        if variants and all("const" in variant for variant in variants):
            return out | {"enum": [variant["const"] for variant in variants]}
        if variants:
            out["anyOf"] = [reduced(variant) for variant in variants]
        if "allOf" in schema and "enum" not in schema:
            out["allOf"] = [reduced(part) for part in schema["allOf"]]
        if "items" in schema:
            out["items"] = reduced(schema["items"])
        if "properties" in schema:
            out["properties"] = {name: reduced(it) for name, it in schema["properties"].items()}
            if schema.get("required"):
                out["required"] = schema["required"]
        if isinstance(schema.get("additionalProperties"), dict):
            out["additionalProperties"] = reduced(schema["additionalProperties"])
        return out

    def call(operation):
        out = {}
        query = [parameter for parameter in operation.get("parameters", []) if parameter["in"] == "query"]
        out["query"] = {"type": "object", "properties": {it["name"]: reduced(it["schema"]) for it in query}}
        if body := operation.get("requestBody"):
            out["body"] = reduced(body["content"]["application/json"]["schema"])
        reply = operation["responses"].get("200") or operation["responses"].get("201")
        out["reply"] = reduced(reply["content"]["application/json"]["schema"]) if reply else {"type": "null"}
        if "204" in operation["responses"] and reply:
            out["reply"] = {"anyOf": [out["reply"], {"type": "null"}]}
        return out

    calls = {
        f"{method.upper()} {path}": call(api["paths"][path][method])
        for path, methods in ROUTES.items()
        for method in methods.split()
    }
    types["ErrorResponse"] = {
        "type": "object",
        "properties": {"code": {"type": "integer"}, "message": {"type": "string"}, "errors": {"type": "object"}},
        "required": ["code", "message"],
    }
    return {"version": f"v{api['info']['version']}"}, calls, dict(sorted(types.items()))


def main():
    platform, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        version, calls, types = {"telegram": telegram, "discord": discord}[platform](json.load(file))
    lines = [f'"source": {json.dumps(SOURCES[platform] | version)}']
    for title, group in (("calls", calls), ("types", types)):
        entries = ",\n".join(f"  {json.dumps(name)}: {json.dumps(it)}" for name, it in group.items())
        lines.append(f'"{title}": {{\n{entries}\n}}')
    print("{" + ",\n".join(lines) + "}")


main()
