#pragma once

#include <string>
#include <vector>

namespace percepts {

/// Instruction sets that this build has kernels for and this machine can run, the best last.
std::vector<std::string> instruction_sets();

/// The one in use: the best, or the one that the environment variable PERCEPTS_ISA named when it was first
/// needed. Throws InvalidArgument when that is none of instruction_sets().
std::string instruction_set();

}  // namespace percepts
