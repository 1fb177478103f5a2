"""Configuration: command line > TABWIRE_* environment > TOML file > defaults, into one model."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)

from tabwire.disk import plain_files
from tabwire.engine.patience import Patience
from tabwire.errors import InvalidArgument
from tabwire.rules.grants import Grants
from tabwire.settings import TOOLSETS
from tabwire.settings.facade import FacadeSettings
from tabwire.settings.reader import ReaderSettings
from tabwire.wire import PORT_WINDOW

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from tabwire.browsers.running import LaunchOptions

PREFIX = "TABWIRE_"
SEARCH_KEY_VARIABLE = f"{PREFIX}READER_SEARCH_KEY"
_LISTS = frozenset({"browser_args", "files"})
_COMMA_LISTS = frozenset({"tools"})


def _who_escalates(value: Any) -> Any:
    """Switched on without a word, it is the client who may."""
    words = {True: "client", "1": "client", "true": "client", "on": "client", False: None, "0": None, "false": None, "off": None}
    return words.get(value.lower() if isinstance(value, str) else value, value)


class LogSettings(BaseModel):
    """The table `[log]` of the configuration."""

    model_config = ConfigDict(extra="forbid")

    required: bool = False
    """Refuse acts while the event log cannot be written, in place of making them without a log."""


class Config(BaseModel):
    """All settings of a bridge process."""

    model_config = ConfigDict(extra="forbid")

    toolset: str = "agent"
    """Surface to serve, by its name in docs/surfaces.md."""
    tools: list[str] = ["all"]
    """Groups of tools to serve: `core`, `everyday`, `all` (but for `debug`, `performance`, `steps`), or names of groups."""
    diff: bool = True
    """Acts say in words what changed on the page, unless a call has `diff: false`."""
    event_log: bool = True
    """Keep a log of every call below the home folder."""
    log: LogSettings = LogSettings()
    """Settings of that log: `[log]`."""
    observe_only: Annotated[Literal["client", "user"] | None, BeforeValidator(_who_escalates)] = None
    """Acts are refused until somebody escalates: the client too, with a reason that is logged, or only the user."""
    aliases: bool = False
    """Serve tools by their former names, too; ends in version 1.0.0."""
    refs: Literal["full", "short"] = "full"
    """Form of references in the text of a page: `[ref=@e1]`, or `@e1`."""
    input: Literal["auto", "dom", "trusted"] = "auto"
    """Way in which acts reach the page: DOM events, trusted input by Chrome's debugger, or what the act and the browser need."""
    browser: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] | None = None
    """Name or id of the browser for calls that name none. A launched one needs no name."""
    answer_wait: float = Field(default=Patience().answer, ge=0.1, le=600)
    """Seconds for which a call waits for the user's answer in the browser, before it says that it is still waiting."""
    first_port: int = Field(default=PORT_WINDOW[0], ge=1024, le=65536 - len(PORT_WINDOW))
    """First port of the window, for extensions that are paired afterwards."""
    port: int | None = Field(default=None, ge=1024, le=65535)
    """Pins one port instead of the first free one of the window."""
    shell_idle: float = Field(default=1800, ge=1)
    """Seconds without a command after which the session of a shell ends."""
    home: Path = Path("~/.tabwire")
    """Folder for keys, logs, artifacts and what else is kept. Not in the file, which is in it."""
    files: list[Path] = []
    """Folders that tools may read from and write to, besides the artifacts folder."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """Least level of the messages on stderr."""
    http: int | None = Field(default=None, ge=0, le=65535)
    """Serve streamable HTTP on this port of 127.0.0.1 in place of stdio; 0 for any free one."""
    http_token: SecretStr | None = None
    """Token that HTTP requests must carry. Default: one that is made once."""
    http_token_file: Path | None = None
    """Private file with that token, in its place."""
    listen: str | None = None
    """Address at which browsers on other computers come in, besides the window on loopback: HOST:PORT, as they dial it."""
    tls_cert: Path | None = None
    """Certificate for the connections of `listen`, in PEM. Default: one that is made once."""
    tls_key: Path | None = None
    """Private key of that certificate, where the certificate's file does not hold it."""
    launch: bool = False
    """Start a Chromium with the extension, and end it with the server."""
    headless: bool = False
    """Start the launched browser without a window."""
    chromium: Path | None = None
    """The Chromium to start. Default: the usual names on PATH."""
    profile: str | None = None
    """Kept profile of a launched browser: a plain name, or a folder. Default: a temporary one, deleted."""
    grid: str | None = None
    """URL of a Selenium Grid that browsers are launched on, in place of this computer."""
    anti_detect: bool = False
    """Start the launched browser with the command line of an ordinary one."""
    pool: int = Field(default=1, ge=0, le=16)
    """Number of browsers that are started ahead for each kind that was launched once, where browsers are launched by tools."""
    browser_args: list[str] = []
    """Further command-line switches for the launched browser."""
    permissions: Grants = Grants()
    """Permissions given ahead in browsers that are launched, or paired afterwards."""
    reader: ReaderSettings = ReaderSettings()
    """Settings of the reader surface: `[reader]`."""
    facade: FacadeSettings = FacadeSettings()
    """Settings of the facade surface: `[facade]`."""

    @field_validator("toolset")
    @classmethod
    def _is_a_toolset(cls, name: str) -> str:
        if name not in TOOLSETS:
            raise ValueError(f"there is no surface {name!r}; surfaces: {', '.join(TOOLSETS)}")
        return name

    @model_validator(mode="after")
    def _logs_where_it_must(self) -> Self:
        if self.toolset == "instrument" and not self.event_log:
            raise ValueError("event_log: the surface instrument lives on its event log; leave it on")
        if self.log.required and not self.event_log:
            raise ValueError("log.required: the event log is off; leave event_log on, or require none")
        return self

    @model_validator(mode="after")
    def _http_port_is_free_for_it(self) -> Self:
        # The extension would dial a port of the window.
        if self.http in self.window():
            first, last = self.window()[0], self.window()[-1]
            raise ValueError(f"http: ports {first} to {last} are where bridges wait for browsers; name another one")
        if self.http is not None and 0 < self.http < 1024:
            raise ValueError("http: ports below 1024 belong to the system; name another one, or 0 for any free one")
        return self

    @model_validator(mode="after")
    def _names_a_profile(self) -> Self:
        if self.profile is not None:
            from tabwire.browsers import profiles

            try:
                profiles.folder_of(self.profile, self.home_dir())
            except (InvalidArgument, RuntimeError) as error:  # RuntimeError: pathlib knows no such user
                raise ValueError(f"profile: {error}") from None
        return self

    @model_validator(mode="after")
    def _listens_somewhere(self) -> Self:
        if self.listen is not None:
            # Brings along what listens. Most bridges need it a moment later, and have answered their client by then.
            from tabwire.wire.listeners import address_of

            try:
                address_of(self.listen)
            except ValueError as error:
                raise ValueError(f"listen: {error}") from None
        elif self.tls_cert or self.tls_key:
            raise ValueError("tls_cert, tls_key: they are for listen, which is not set")
        if self.tls_key and not self.tls_cert:
            raise ValueError("tls_key: name its certificate with tls_cert")
        return self

    @model_validator(mode="after")
    def _escalations_are_logged(self) -> Self:
        if self.observe_only == "client" and not self.event_log:
            raise ValueError("observe_only: the reason of an escalation goes into the event log, which is off; or set it to user")
        return self

    def ports(self) -> tuple[int, ...]:
        """Ports to try, in order."""
        return self.window() if self.port is None else (self.port,)

    def window(self) -> tuple[int, ...]:
        """Ports on which bridges wait for browsers."""
        return tuple(range(self.first_port, self.first_port + len(PORT_WINDOW)))

    def events_dir(self) -> Path:
        """Folder of the event log."""
        return self.home_dir() / "events"

    def downloads_dir(self) -> Path:
        """Folder where launched browsers save downloads."""
        return (self.facade.downloads or self.home_dir() / "artifacts" / "downloads").expanduser().absolute()

    def launch_options(self) -> "LaunchOptions":
        """Options of launched browsers, where nothing more is asked for."""
        from tabwire.browsers.running import LaunchOptions

        return LaunchOptions(
            grid=self.grid,
            chromium=self.chromium,
            arguments=tuple(self.browser_args),
            downloads=self.downloads_dir(),
            permissions=self.permissions,
        )

    def home_dir(self) -> Path:
        """Folder of keys, run files and artifacts."""
        return self.home.expanduser().absolute()


def load(cli: Mapping[str, Any], env: Mapping[str, str] | None = None) -> Config:
    """Merge the sources.

    Args:
        cli: settings given on the command line, those of a table as `table.name`; None means not given.
        env: the environment, default `os.environ`.

    Raises:
        InvalidArgument: an unknown setting or a bad value, with where it came from.
    """
    given = _tabled({name: value for name, value in cli.items() if value is not None})
    environment = _from_env(os.environ if env is None else env)
    home = Path(given.get("home") or environment.get("home") or Config.model_fields["home"].default).expanduser()
    file = home / "config.toml"
    kept = plain_files.read_toml(file) if os.path.lexists(file) else {}
    if "home" in kept:
        raise InvalidArgument(f"{file}: home is the folder that this file is in; set {PREFIX}HOME in its place")
    merged = _merged(kept, environment, given)
    try:
        return Config.model_validate(merged)
    except ValidationError as error:
        problems = "; ".join(f"{_where(_path_of(item), file)}: {item['msg']}" for item in error.errors(include_url=False))
        raise InvalidArgument(f"configuration: {problems}. Settings: {', '.join(Config.model_fields)}") from None


def _path_of(problem: "ErrorDetails") -> tuple[int | str, ...]:
    """The path of a setting that is wrong; of a rule beside others, with its key."""
    key = problem.get("ctx", {}).get("key")
    return problem["loc"] if key is None else (*problem["loc"], key)


def _where(path: tuple[int | str, ...], file: Path) -> str:
    """A setting by its name, and the line of the file that has it: of a key of a table, which is no setting of ours."""
    name = ".".join(str(part) for part in path if part != "[key]")
    if path[:2] != ("permissions", "sites") or len(path) < 3 or not file.is_file():
        return name
    lines = enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
    number = next((number for number, line in lines if str(path[2]) in line and not line.lstrip().startswith("#")), None)
    return name if number is None else f"{name} ({file}, line {number})"


def _tabled(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`table.name` → `name` in `table`."""
    paths = ((name.partition("."), value) for name, value in settings.items())
    return _merged(*({name: {inner: value} if inner else value} for (name, _, inner), value in paths))


def _merged(*sources: Mapping[str, Any]) -> dict[str, Any]:
    """Later ones win; tables are merged by name."""
    merged: dict[str, Any] = {}
    for source in sources:
        for name, value in source.items():
            below = merged.get(name)
            merged[name] = {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _from_env(env: Mapping[str, str], model: type[BaseModel] = Config, prefix: str = PREFIX) -> dict[str, Any]:
    """TABWIRE_CHROMIUM=…, and TABWIRE_READER_SEARCH=… for `search` in `[reader]`. Other variables are somebody else's."""
    found: dict[str, Any] = {}
    for name, setting in model.model_fields.items():
        variable, table = prefix + name.upper(), setting.annotation
        if isinstance(table, type) and issubclass(table, BaseModel):
            found[name] = _from_env(env, table, f"{variable}_")
        elif env.get(variable):
            found[name] = _split(name, env[variable])
    return {name: value for name, value in found.items() if value}


def _split(name: str, value: str) -> str | list[str]:
    if name in _COMMA_LISTS:
        return [part.strip() for part in value.split(",") if part.strip()]
    return value.split(os.pathsep) if name in _LISTS else value
