"""Problems of experiments, plans, imports, comparisons and pictures."""

from __future__ import annotations

from typing import Final

DOCUMENTS: Final = {
    "not_an_object": (
        "The document is a list or a single value.",
        "Write an object with name, factors and baseline.",
    ),
    "too_deep": ("The document nests too many objects and lists.", "Write it flatter."),
    "not_finite": ("A number of the document is NaN or infinite.", "Leave it out, or write a finite number."),
    "number_too_long": ("A number has too many digits.", "Write it with fewer digits."),
    "unknown_value": (
        "A field has a value that is not one of those allowed.",
        "Choose one that the detail lists.",
    ),
    "duplicate_metric": ("The experiment lists a metric twice.", "Name it once."),
    "duplicate_threshold": ("The experiment lists a threshold twice.", "Name it once."),
    "unknown_factor": ("There is no factor of this name.", "Choose a factor of GET /api/v1/factors."),
    "unknown_level": ("The factor has no such level.", "Choose one of the levels that the detail lists."),
    "unknown_metric": (
        "There is no metric of this name, or the run did not measure it.",
        "Choose one that the detail lists.",
    ),
    "same_host": (
        "The run's own host is named as its client host.",
        "Name another host, or leave it out.",
    ),
    "client_host_unused": (
        "No cell of the plan can run its client on the named host; the detail says why.",
        "Follow the detail, or start the run without a client host.",
    ),
    "unknown_host": (
        "No worker has announced a host of this name.",
        "Choose a host of GET /api/v1/hosts, or start its worker.",
    ),
    "duplicate_host": ("A group of runs names a host twice.", "Name it once: each host has one run."),
    "unknown_label": (
        "No host has this label.",
        "Choose a label that the detail lists, or name the hosts.",
    ),
    "host_drained": (
        "An administrator drained the host: it starts no new trial.",
        "Resume it, or leave it out.",
    ),
    "host_left": (
        "The host left, or an administrator revoked its token: its worker can claim no trial.",
        "Let it join again with a new enrolment, or choose another host of GET /api/v1/hosts.",
    ),
    "unknown_schema": ("The document is of another schema.", "Use an export of this version."),
    "inapplicable_factor": (
        "A factor is varied that none of the experiment's cells has.",
        "Remove it, or add the level that it needs.",
    ),
    "not_numeric": ("A range is given for a factor whose levels are no numbers.", "List the levels."),
    "bad_sweep": ("A range has no end, or no step.", "Write from, to, and step or times."),
    "too_many": (
        "A list or range has more values than allowed.",
        "Shorten it to the length that the detail names.",
    ),
    "too_many_looks": ("More interim analyses are planned than the stopping rule allows.", "Plan fewer."),
    "unlike_tools": (
        "The experiment has tools whose results have no common metric.",
        "Use tools of one kind, or one experiment for each.",
    ),
    "duplicate_level": ("A factor names a level twice.", "Name it once."),
    "duplicate_key": ("An object of the document names a key twice.", "Name it once."),
    "bad_threshold": (
        "A threshold is not written as metric, comparison and value.",
        "Write for example ratio(tps) >= 0.95.",
    ),
    "threshold_not_in_levels": (
        "A threshold names levels that the experiment does not have.",
        "Name levels of the experiment.",
    ),
    "metric_does_not_fit": (
        "No tool of the experiment reports the metric.",
        "Choose a metric that its tools report.",
    ),
    "metric_needs_rate": ("The metric exists only with an offered rate.", "Add the factor rate_limit."),
    "metric_not_listed": (
        "A threshold uses a metric that the experiment does not list.",
        "Add it to metrics.",
    ),
    "limit_without_rate": (
        "A latency limit needs offered rates.",
        "Add several rates, or remove latency_limit_ms.",
    ),
    "two_questions": (
        "compare and baseline name different cells to compare with.",
        "Remove compare or baseline.",
    ),
    "baseline_missing": ("No cell has the levels of the baseline.", "Name levels that a cell has."),
    "baseline_not_in_levels": (
        "The baseline names a level that the experiment does not have.",
        "Choose one of the experiment's levels.",
    ),
    "baseline_infeasible": ("The host cannot run the baseline.", "Choose another baseline, or another host."),
    "exclude_not_in_levels": (
        "A rule excludes a level that the experiment does not have.",
        "Choose one of its levels.",
    ),
    "excludes_baseline": ("The rules exclude the baseline.", "Change the rule or the baseline."),
    "excludes_everything": ("The rules exclude every cell.", "Remove a rule."),
    "excludes_nothing": ("A rule excludes no cell.", "Remove or correct it."),
    "includes_nothing": ("A rule adds no cell.", "Remove or correct it."),
    "matrix_too_large": (
        "Cells times rounds are more trials than a plan may have.",
        "Use fewer levels or rounds; the detail says how many fit.",
    ),
    "plan_too_long": ("The plan takes more than 24 hours.", "Use fewer rounds or cells, or shorter windows."),
    "duplicate_log": ("Two logs are of the same cell and round.", "Give each a round of its own."),
    "identical_log": (
        "Two logs of a cell are of the same run, which would count twice.",
        "Give the log of each run once, or set allow_identical.",
    ),
    "level_not_in_experiment": (
        "A log names a level that the experiment does not have.",
        "Add the level, or correct the log.",
    ),
    "no_cell": ("No cell of the experiment has the levels of a log.", "Correct the levels."),
    "several_cells": ("The levels of a log fit several cells.", "Name every factor that differs."),
    "unparseable": (
        "The output of a tool does not have the form that its parser expects.",
        "Check that the log is complete; the detail names the missing line.",
    ),
}
"""Code: cause, remedy."""

OBSTACLES: Final = {
    "tool_does_not_fit": ("The tool cannot load the service.", "Choose a tool that fits the service."),
    "unknown_program": (
        "The host has no registered proxy program of this name.",
        "Register it with PLIMSOLL_PROXY_PROGRAMS, or choose another.",
    ),
    "service_not_carried": ("The path cannot carry the service.", "Choose another path or service."),
    "path_unreachable": ("The client cannot reach the server by this path.", "Choose another path."),
    "transport_not_carried": ("The path cannot carry the transport.", "Choose another transport."),
    "engine_missing": (
        "The host has no Docker daemon with this setting.",
        "Change userland_proxy, or see the host's page.",
    ),
    "path_not_possible": (
        "The host cannot build the path; its page says why.",
        "Choose another path or host.",
    ),
    "path_needs_one_host": (
        "The path cannot be built between two hosts.",
        "Choose another path, or start the run without a client host.",
    ),
    "engine_not_reachable": (
        "A lab daemon has no address that the client host can reach.",
        "Set engine to host, or start the run without a client host.",
    ),
    "host_engine_path": ("The host's own daemon cannot be used for the path.", "Set engine to lab."),
    "host_engine_program": ("The host's own daemon runs its own proxy program.", "Set engine to lab."),
    "host_engine_setting": (
        "The host's own daemon has the other setting of userland-proxy.",
        "Use the host's setting, or set engine to lab.",
    ),
    "policy_forbids": (
        "The policy of the host forbids the cell: its engine, network, proxy program or length.",
        "Change the factor that the detail names, or ask an administrator of the installation.",
    ),
    "tool_needs_tcp": ("The tool needs TCP, and the path has none.", "Choose another path or tool."),
    "tool_refuses": (
        "The tool does not accept the combination of levels.",
        "Change the factor that the detail names.",
    ),
    "too_many_cpus": (
        "The host has fewer CPUs than the limit asks for.",
        "Lower the limit, or choose another host.",
    ),
    "unknown_cpu": ("The host has no CPU of this number.", "Choose CPUs that the host has."),
    "too_much_memory": (
        "The host has less memory than the limit asks for.",
        "Lower the limit, or choose another host.",
    ),
    "scale_too_large": ("The data of this scale do not fit into the host's memory.", "Use a smaller scale."),
}

PICTURES: Final = {
    "one_run": ("The comparison is of a run with itself.", "Choose two runs, or two cells of one run."),
    "one_cell": (
        "The comparison is of a cell with itself, or only one cell is named.",
        "Name one cell of each run.",
    ),
    "not_comparable": (
        "The two runs cannot be compared; the detail says why.",
        "Compare values, or choose other runs.",
    ),
    "unknown_format": ("There is no such format of exports.", "Choose one that the detail lists."),
    "unknown_kind": ("There is no such kind of picture.", "Choose one that the detail lists."),
    "unknown_language": ("There is no such language.", "Choose en or zh."),
    "unknown_theme": ("There is no such theme.", "Choose light or dark."),
    "unknown_unit": ("There is no such unit.", "Choose one that the detail lists."),
    "unknown_role": ("There is no such role.", "Choose one that the detail lists."),
    "unknown_scale": ("There is no such scale.", "Choose one that the detail lists."),
    "unknown_cell": ("The run has no such cell.", "Choose a cell of its plan."),
    "unknown_ladder": ("The run has no such path ladder.", "Choose one that the detail lists."),
    "factor_twice": ("A factor has two places in the picture.", "Give it one place."),
    "no_cpu": ("The run has no CPU figures, as imported runs.", "Choose another kind of picture."),
    "no_knee": ("The run has no knee.", "Choose another kind of picture."),
    "no_ladder": ("The run has no path ladder.", "Choose another kind of picture."),
    "no_series": ("The cell has nothing over time.", "Choose another kind of picture."),
    "no_panel": ("The run has no such panel.", "Choose another kind of picture."),
    "no_lanes": ("The kind of picture shows no single cells.", "Leave cells out."),
    "no_metric": ("The runs have no common metric.", "Choose runs of the same metrics."),
    "no_picture": ("The trial has no data for the picture.", "Choose another kind."),
    "no_pivot": ("The run cannot be arranged by these factors.", "Choose factors that the run varies."),
    "no_place": (
        "The kind of picture has no such place for a factor.",
        "Leave it out, or choose another kind.",
    ),
}
