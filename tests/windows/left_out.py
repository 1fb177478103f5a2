"""The unit tests that do not run on Windows, or not under wine, each with the reason. Whole files and single tests, by pytest's ids."""

BITS = "Windows keeps no permission bits"
LINKS = "wine 8 makes no symbolic links"
HELD_OPEN = "the test removes or moves a file that is open, which Windows refuses"
LIMIT = "the test sets a limit on the size of files by the module `resource`, which Windows has not"
ZONE = "the test sets the time zone by time.tzset, which Windows has not"

LEFT_OUT: dict[str, str] = {
    "tests/bridge/eventlog/test_event_log.py::test_a_line_tells_what_was_asked_for_and_what_came_of_it": ZONE,
    "tests/bridge/eventlog/test_log_gaps.py::test_a_file_that_was_only_moved_has_lost_nothing": HELD_OPEN,
    "tests/bridge/eventlog/test_log_gaps.py::test_a_folder_that_is_removed_is_begun_again_and_what_was_in_it_is_missing": HELD_OPEN,
    "tests/bridge/eventlog/test_log_gaps.py::test_lines_that_a_full_disk_did_not_take_are_counted_in_the_next_one": LIMIT,
    "tests/bridge/eventlog/test_log_gaps.py::test_lines_that_no_file_tells_of_yet_are_known_to_the_next_process": LIMIT,
    "tests/bridge/install/test_clients.py::test_a_link_stays_a_link_and_its_target_is_written": LINKS,
    "tests/bridge/install/test_clients.py::test_reading_follows_no_endless_link": LINKS,
    "tests/bridge/install/test_clients.py::test_the_package_is_found_below_a_moved_folder_of_a_strange_name": (
        "no folder of Windows has that name"
    ),
    "tests/bridge/install/test_executable.py::test_a_link_to_the_program_is_named_and_not_what_it_leads_to": LINKS,
    "tests/bridge/server/test_http.py::test_a_token_put_in_place_of_another_counts_at_once_and_none_lets_nobody_in": BITS,
    "tests/bridge/server/test_http.py::test_a_token_that_nobody_gave_is_made_once_for_its_owner_alone": BITS,
    "tests/bridge/server/test_http.py::test_a_token_that_others_may_read_is_refused": BITS,
    "tests/bridge/wire/test_keys.py::test_a_pairing_file_may_say_which_bridge_to_dial_and_who_the_browser_is": BITS,
    "tests/bridge/wire/test_listeners.py::test_an_address_that_cannot_be_had_is_said_and_leaves_nothing_behind": (
        "wine gives another error for an address of another computer"
    ),
    "tests/bridge/wire/test_ports.py::test_another_processs_note_is_not_taken_away": (
        "os.getppid calls PssCaptureSnapshot, which wine 8 lacks"
    ),
    "tests/bridge/wire/test_revocation.py::test_nothing_is_sent_to_it_any_more[let_others_read_it]": BITS,
    "tests/bridge/wire/test_tls.py::test_a_key_that_others_may_read_is_not_used": BITS,
    "tests/bridge/wire/test_tls.py::test_bridges_that_start_together_show_the_same_key": BITS,
    "tests/bridge/wire/test_tls.py::test_for_another_host_it_is_made_out_again_with_the_same_key": BITS,
    "tests/bridge/wire/test_tls.py::test_one_of_our_own_is_made_once_and_private": BITS,
    "tests/bridge/wire/test_tls.py::test_one_that_cannot_be_used_is_refused_with_the_reason[key_for_everybody]": BITS,
    "tests/bridge/wire/test_tls.py::test_one_that_cannot_be_used_is_refused_with_the_reason[missing]": (
        "Windows has other words for a file that is not there"
    ),
    "tests/bridge/wire/test_tls.py::test_the_fingerprint_is_that_of_the_public_key": "there is no openssl program",
}
