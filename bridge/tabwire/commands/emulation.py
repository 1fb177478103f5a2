"""Emulation (agent spec)."""

import re
from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import AfterValidator, Field

from tabwire.commands import results
from tabwire.commands.declaration import Doing, Returns
from tabwire.commands.privacy import Fact
from tabwire.commands.results import Closed, ObservedResult
from tabwire.commands.types import Number, Parameters, Positive, TabId, Whole

MAX_SIDE = 10_000

Side = Annotated[Whole, Field(ge=1, le=MAX_SIDE)]
Scale = Annotated[Positive, Field(le=10)]


def _header(value: str) -> str:
    if not re.fullmatch(r"[\x20-\x7e]{1,1000}", value) or not value.strip():
        raise ValueError("must be 1 to 1000 printable ASCII characters")
    return value


class Override(
    Doing,
    method="",
    page="none",
    idempotent=True,
    destructive=False,
    open_world=False,
):
    """Base of the commands that replace something of a tab's surroundings until it is taken back."""

    tabId: TabId = None


class DeviceFacts(Closed, total=False):
    """A `CustomDevice` as it travels."""

    viewport: results.Size
    user_agent: str
    device_scale_factor: float
    is_mobile: bool
    has_touch: bool


class Emulated(DeviceFacts, total=False):
    """The device that the page is made to believe in."""

    name: str


class SeenScreen(results.Size):
    """The device as the page sees it."""

    device_scale_factor: float
    screen: results.Size
    orientation: NotRequired[str]
    touch: bool
    user_agent: str


class ScreenAnswer(Closed):
    """The emulated screen, and the screen the page sees; None: the real device, and a page that does not answer."""

    emulated: Emulated | None
    page: NotRequired[SeenScreen | None]
    note: NotRequired[str]


class ScreenResult(ObservedResult, total=False):
    """The answer."""

    value: ScreenAnswer


class Viewport(
    Override, Returns[ScreenResult], method="emulation.viewport", tool="viewport", title="Set viewport", shows=("width", "height")
):
    """Emulate a viewport size and pixel ratio in this tab. 0 x 0: back to the real one."""

    own_words: ClassVar = True

    width: Annotated[Whole, Field(ge=0, le=MAX_SIDE)]
    height: Annotated[Whole, Field(ge=0, le=MAX_SIDE)]
    device_scale_factor: Scale = 1
    is_mobile: bool = False
    has_touch: bool = False
    is_landscape: Annotated[bool, Field(description="Wider side across")] = False

    def check(self) -> None:
        if (self.width == 0) != (self.height == 0):
            raise ValueError("width and height must both be at least 1, or both 0 for the real viewport")


class Size(Parameters):
    """A viewport in CSS pixels."""

    width: Side | None = None
    height: Side | None = None

    def check(self) -> None:
        if self.width is None or self.height is None:
            raise ValueError("needs width and height")


class CustomDevice(Parameters):
    """A device that has no name here."""

    viewport: Size | None = None
    user_agent: Annotated[str, AfterValidator(_header)] | None = None
    device_scale_factor: Scale | None = None
    is_mobile: bool | None = None
    has_touch: bool | None = None

    def check(self) -> None:
        if not self.model_fields_set:
            raise ValueError("needs at least one property; leave custom out for the real device")


class Device(Override, Returns[ScreenResult], method="emulation.device", tool="device", title="Emulate device", shows=("name",)):
    """Emulate a device: viewport, user agent, touch. Without name and custom: back to the real one."""

    on_wire: ClassVar = {"custom": DeviceFacts}

    own_words: ClassVar = True

    name: (
        Literal[
            "iPhone 14",
            "iPhone 14 Pro Max",
            "iPhone SE",
            "iPad Pro",
            "iPad Mini",
            "Pixel 7",
            "Pixel 7 Pro",
            "Samsung Galaxy S23",
            "Desktop 1080p",
            "Desktop 1440p",
            "Desktop 4K",
        ]
        | None
    ) = None
    custom: Annotated[CustomDevice | None, Field(description="Own device, or changes to the named one")] = None


class Place(Closed):
    """A position on earth."""

    latitude: float
    longitude: float
    accuracy: float


class PlaceAnswer(Closed):
    """The emulated place, whether the site may read it, and the place the site reads."""

    emulated: Place | None
    permission: NotRequired[str]
    page: NotRequired[Place]
    note: NotRequired[str]


class GeolocationResult(ObservedResult, total=False):
    """The answer."""

    value: PlaceAnswer


class Geolocation(
    Override,
    Returns[GeolocationResult],
    method="emulation.geolocation",
    tool="geolocation",
    title="Set geolocation",
    shows=("latitude", "longitude"),
):
    """Override the position this tab gets; the site also needs the permission (permissions)."""

    latitude: Annotated[Number, Field(ge=-90, le=90)] | None = None
    longitude: Annotated[Number, Field(ge=-180, le=180)] | None = None
    accuracy: Annotated[Number, Field(ge=0, description="Meters")] = 100
    clear: Annotated[bool, Field(description="Back to the real position")] = False

    def check(self) -> None:
        given = self.latitude is not None, self.longitude is not None
        if self.clear and any(given):
            raise ValueError("clear excludes latitude and longitude")
        if not self.clear and not all(given):
            raise ValueError("needs latitude and longitude, or clear")


class Permission(Parameters):
    """One permission and what the site is to find."""

    name: Literal["geolocation", "notifications", "camera", "microphone", "clipboard-read", "clipboard-write"] | None = None
    state: Literal["granted", "denied", "prompt"] | None = None

    def check(self) -> None:
        if self.name is None or self.state is None:
            raise ValueError("needs name and state")


class PermissionState(Closed):
    """A `Permission` as it travels."""

    name: str
    state: str


class PermissionsAnswer(Closed):
    """The states that the site finds, and those that are overridden."""

    origin: str
    states: dict[str, str]
    overridden: dict[str, str]
    note: NotRequired[str]


class PermissionsResult(ObservedResult, total=False):
    """The answer."""

    value: PermissionsAnswer


class Permissions(
    Override,
    Returns[PermissionsResult],
    method="emulation.permissions",
    tool="permissions",
    title="Override permissions",
    sensitive="site_permissions",
    shows=("origin",),
):
    """Override permissions of a site until this tab closes. An empty list takes the site's overrides back."""

    on_wire: ClassVar = {"permissions": list[PermissionState]}

    permissions: list[Permission]
    origin: Annotated[Fact | None, Field(description="Default: the tab's")] = None


class EmulatedConditions(Closed, total=False):
    """The conditions that are emulated."""

    color_scheme: str
    reduced_motion: str
    forced_colors: str
    media: str
    timezone: str
    locale: str
    offline: bool
    cpu_throttle: float
    network_throttle: str


class SeenConditions(Closed):
    """The conditions as the page sees them."""

    color_scheme: str
    reduced_motion: str
    forced_colors: str
    media: str
    timezone: str
    locale: str
    languages: list[str]
    online: bool


class ConditionsAnswer(Closed):
    """The emulated conditions, and those the page sees; None: no conditions, and a page that does not answer."""

    emulated: EmulatedConditions | None
    page: NotRequired[SeenConditions | None]
    note: NotRequired[str]


class ConditionsResult(ObservedResult, total=False):
    """The answer."""

    value: ConditionsAnswer


class Conditions(
    Override,
    Returns[ConditionsResult],
    method="emulation.conditions",
    tool="emulate",
    title="Emulate conditions",
    shows=("color_scheme", "timezone", "locale", "offline", "network_throttle"),
):
    """Change conditions of this tab; those not given stay. Without any: all are real again."""

    on_wire: ClassVar = {"offline": bool}

    own_words: ClassVar = True

    color_scheme: Annotated[
        Literal["light", "dark", "no-preference"] | None, Field(description="no-preference: the real one")
    ] = None
    reduced_motion: Literal["reduce", "no-preference"] | None = None
    forced_colors: Literal["active", "none"] | None = None
    media: Literal["screen", "print"] | None = None
    timezone: Annotated[Fact | None, Field(description='"Europe/Rome"; empty: the real one')] = None
    locale: Annotated[Fact | None, Field(description='"de-DE"; empty: the real one')] = None
    offline: bool = False
    cpu_throttle: Annotated[Annotated[Number, Field(ge=1, le=100)] | None, Field(description="Times slower; 1: not")] = None
    network_throttle: Literal["offline", "slow_3g", "fast_3g", "4g"] | None = None

    def params(self) -> dict[str, Any]:
        """Only what was given: the default of `offline` must not end what an earlier call has set."""
        given = super().params()
        if "offline" not in self.model_fields_set:
            del given["offline"]
        return given


PURPOSE = "viewport, devices, position, conditions"

COMMANDS = (Viewport, Device, Geolocation, Permissions, Conditions)
