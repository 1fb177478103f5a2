/** Names of the events that browsers fire at pages. */
export const EVENTS = new Set((
  "click dblclick auxclick contextmenu mousedown mouseup mousemove mouseover mouseout mouseenter mouseleave wheel " +
  "mousewheel pointerdown pointerup pointermove pointerover pointerout pointerenter pointerleave pointercancel " +
  "gotpointercapture lostpointercapture pointerrawupdate touchstart touchmove touchend touchcancel keydown keyup keypress " +
  "beforeinput input change compositionstart compositionupdate compositionend focus blur focusin focusout submit reset " +
  "formdata invalid select selectstart selectionchange copy cut paste beforecopy beforecut beforepaste drag dragstart " +
  "dragend dragenter dragleave dragover drop scroll scrollend scrollsnapchange scrollsnapchanging resize load unload " +
  "beforeunload pagehide pageshow pagereveal pageswap DOMContentLoaded readystatechange visibilitychange freeze resume " +
  "hashchange popstate error abort unhandledrejection rejectionhandled message messageerror storage online offline " +
  "languagechange beforeprint afterprint fullscreenchange fullscreenerror pointerlockchange pointerlockerror " +
  "animationstart animationend animationiteration animationcancel transitionrun transitionstart transitionend " +
  "transitioncancel toggle beforetoggle close cancel cuechange slotchange search beforematch securitypolicyviolation play " +
  "playing pause ended timeupdate volumechange ratechange seeking seeked waiting stalled suspend progress canplay " +
  "canplaythrough durationchange loadeddata loadedmetadata loadstart loadend emptied timeout open devicemotion " +
  "deviceorientation orientationchange gamepadconnected gamepaddisconnected beforeinstallprompt appinstalled " +
  "currententrychange navigate navigatesuccess navigateerror DOMNodeInserted DOMSubtreeModified connect install activate " +
  "fetch"
).split(" "));
