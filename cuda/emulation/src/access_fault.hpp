#pragma once

namespace percepts::cuda::emulation {

/// From now on, a program that ends by touching memory it may not touch says which memory of a device that
/// was. The sanitizers have reports of their own, and keep them.
void explain_access_faults();

}  // namespace percepts::cuda::emulation
